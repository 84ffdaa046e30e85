"""Damage to compiled kernels, and whether LLVM survives what `objects.check` lets pass.

    python -m tests.helpers.system.damaged_objects SEED COUNT

The damage is done where an ELF file speaks of itself: in its header, its sections' headers, its symbols and relocations. Each file
that passes is loaded in a process of its own, since what goes wrong there ends the process.
"""

import os
import random
import struct
import sys

import llvmlite.binding as llvm

from ludus.core.files.reading import DIGEST_BYTES
from ludus.native import cache, load, objects

PROGRAM = """
target triple = "{}"
@table = internal constant [4 x i64] [i64 1, i64 2, i64 3, i64 4]
@zeros = internal global [4 x i64] zeroinitializer
declare i64 @PyLong_AsLongLong(i8*)
define i64 @ludus_kernel(i8* %object, i64 %unused) {{
  %value = call i64 @PyLong_AsLongLong(i8* %object)
  %from = getelementptr [4 x i64], [4 x i64]* @table, i64 0, i64 %value
  %found = load i64, i64* %from
  %to = getelementptr [4 x i64], [4 x i64]* @zeros, i64 0, i64 %value
  store i64 %found, i64* %to
  ret i64 %found
}}
"""
TABLES = (objects.SYMBOLS, objects.RELOCATIONS)


def where(body):
    """Where an ELF file speaks of itself: starts and stops."""
    (table,), (count,) = struct.unpack_from("<Q", body, 40), struct.unpack_from("<H", body, 60)
    headers = [struct.unpack_from("<IIQQQQIIQQ", body, table + 64 * number) for number in range(count)]
    return [(0, 64), (table, table + 64 * count), *((h[4], h[4] + h[5]) for h in headers if h[1] in TABLES and h[5])]


def damaged(body, rng):
    """The file, changed in one to three places, or cut."""
    if rng.random() < 0.1:
        return body[: rng.choice([place for span in where(body) for place in span])]
    changed = bytearray(body)
    for _ in range(rng.choice([1, 1, 2, 3])):
        width, (start, stop) = rng.choice([1, 1, 2, 4, 8]), rng.choice(where(body))
        place, limit = rng.randrange(start, stop, width), 2 ** (8 * width)
        value = int.from_bytes(changed[place : place + width], "little")
        near = [value ^ 1 << rng.randrange(8 * width), value + 1, value - 1, value + 16]
        value = rng.choice([*near, 0, limit - 1, limit // 2, len(body), rng.randrange(limit)])
        changed[place : place + width] = (value % limit).to_bytes(width, "little")
    return bytes(changed)


def survives(body, symbol):
    """Whether this process survives such a file: it is refused, or loads without harm."""
    try:
        objects.check(body, symbol)
    except ValueError:
        return True
    child = os.fork()
    if child == 0:
        load._load_object(body, symbol)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def object_for(triple):
    """An object file that has a table, zeros, code, and a function that it asks for, for a machine and system."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(triple).create_target_machine(opt=3, codemodel="jitdefault", jit=True)
    return machine.emit_object(llvm.parse_assembly(PROGRAM.format(triple)))


def kernels():
    """Object files by the symbol of their function: that one, and all that lie in the cache."""
    load.serve()
    files = (cache.folder() / "kernels").glob("*/*")
    found = {"ludus_" + file.stem.rpartition("-")[2]: file.read_bytes()[DIGEST_BYTES:] for file in sorted(files)}
    return found | {"ludus_kernel": object_for(llvm.get_default_triple())}


def main(seed, count):
    rng, found = random.Random(seed), kernels()
    for number in range(count):
        symbol, body = rng.choice([*found.items()])
        changed = damaged(body, rng)
        if not survives(changed, symbol):
            sys.exit(f"damage {number} of seed {seed} to {symbol} ended the process that loaded it")
    print(len(found), "kernels,", count, "damages")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
