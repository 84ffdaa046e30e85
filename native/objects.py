"""Whether an object file is whole. LLVM's loader trusts what a file states about itself and ends the process where that is wrong.

The formats are ELF (Linux), Mach-O (macOS) and COFF (Windows), as LLVM writes them for kernels on 64-bit little-endian machines.
Each reader here gives the sections, the symbols and which bytes of the file they take; `check` compares these with one another.
This finds damage. It does not find malice: a file that passes still runs as code.

Sources: the System V ABI with its supplements for x86-64 and AArch64, Apple's mach-o/loader.h, Microsoft's PE/COFF specification.
"""

from __future__ import annotations

import ctypes
import struct
from functools import cache
from typing import NamedTuple

import llvmlite.binding as llvm

WIDEST_GAP = 64
"""Bytes between two parts of a file: parts begin at multiples of 64 at most, and Mach-O has a few small ones that are not read."""

ELF, RELOCATABLE, ELF_HEADER, ELF_SECTION, ELF_SYMBOL, ELF_RELOCATION = b"\x7fELF\2\1\1".ljust(16, b"\0"), 1, 64, 64, 24, 24
ELF_MACHINES = {"x86_64": (62, {1, 24}), "aarch64": (183, {*range(257, 300)})}
"""The number of each machine, and the kinds of relocations that kernels have and LLVM's loader knows."""
NO_SECTION, PROGRAM, SYMBOLS, STRINGS, RELOCATIONS, ZEROS, UNWINDING = 0, 1, 2, 3, 4, 8, 0x70000001
ALLOCATED, EXECUTABLE, KNOWN_FLAGS = 2, 4, 0x10000077
ABSOLUTE, GLOBAL, FILE = 0xFFF1, 1, 4
MOST_ZEROS, LARGEST_ALIGNMENT = 2**24, 64

MACH, MACH_OBJECT, SEGMENT, SYMBOL_TABLE = 0xFEEDFACF, 1, 0x19, 0x2
MACH_HINTS = 0x2E  # for a linker, on arm64
MACH_HEADER, MACH_SEGMENT, MACH_SECTION, MACH_SYMBOL, MACH_RELOCATION = 32, 72, 80, 16, 8
MACH_MACHINES = {"x86_64": 0x01000007, "arm64": 0x0100000C, "aarch64": 0x0100000C}
MACH_CODE, MACH_ZEROS, MACH_EXTERNAL = 0x80000400, 1, 1

COFF_MACHINES = {"x86_64": 0x8664, "aarch64": 0xAA64, "arm64": 0xAA64}
COFF_HEADER, COFF_SECTION, COFF_SYMBOL, COFF_RELOCATION, COFF_CODE, COFF_ZEROS, COFF_EXTERNAL = 20, 40, 18, 10, 0x20, 0x80, 2


class Section(NamedTuple):
    """A section: its name, where its bytes begin and end in the file, whether it holds code, and the address of its start."""

    name: bytes
    start: int
    stop: int
    code: bool
    address: int = 0


class Symbol(NamedTuple):
    """A symbol: its name, its section (None where it is defined elsewhere), its place there, and whether other files see it."""

    name: bytes
    section: Section | None
    place: int
    seen: bool


class Parts(NamedTuple):
    """What an object file holds: sections, symbols, and where in the file each part begins and ends."""

    sections: list[Section]
    symbols: list[Symbol]
    spans: list[tuple[int, int]]


def check(body: bytes, symbol: str, triple: str = "") -> None:
    """Checks that an object file is whole and defines a function.

    Args:
        body: the file.
        symbol: the function's name.
        triple: the machine and system that it is for, as LLVM names them; empty for this one.

    Raises:
        ValueError: it is damaged, or for another machine, or the function is not there.
    """
    parts = parts_of(body, triple or llvm.get_default_triple())
    end = 0
    for start, stop in sorted(span for span in parts.spans if span[0] < span[1]):
        _require(end <= start <= end + WIDEST_GAP, f"the part at {start} does not follow the one that ends at {end}")
        end = stop
    _require(end <= len(body) <= end + WIDEST_GAP, f"it has {len(body)} bytes and describes {end}")
    defined = [s for s in parts.symbols if s.seen and s.section and s.name == symbol.encode()]
    _require(len(defined) == 1, f"it does not define {symbol}")
    section = defined[0].section
    inside = section is not None and section.code and 0 <= defined[0].place < section.stop - section.start
    _require(inside, f"{symbol} lies outside of its code")


def parts_of(body: bytes, triple: str) -> Parts:
    """The parts of an object file.

    Raises:
        ValueError: it is damaged, or for another machine than the triple's.
    """
    machine = triple.split("-")[0].lower().replace("amd64", "x86_64")
    read = _mach if "apple" in triple or "darwin" in triple else _coff if "windows" in triple else _elf
    try:
        return read(body, machine)
    except struct.error:
        raise ValueError("the object file is damaged: it ends within a table") from None


def _require(fact: bool, otherwise: str) -> None:
    if not fact:
        raise ValueError(f"the object file is damaged: {otherwise}")


def _part(body: bytes, start: int, size: int) -> bytes:
    _require(0 <= start <= len(body) and 0 <= size <= len(body) - start, f"{size} bytes at {start} reach beyond its end")
    return body[start : start + size]


def _text(strings: bytes, start: int) -> bytes:
    """The text at a place of a table of strings, which ends with a zero."""
    stop = strings.find(0, start)
    _require(start < len(strings) and stop >= 0, f"a name at {start} lies outside of the table of {len(strings)} bytes")
    return strings[start:stop]


# ---- ELF


@cache
def _process() -> ctypes.CDLL:
    """All that this process has loaded, by name; LLVM's loader ends the process over a name that is not there."""
    return ctypes.CDLL(None)


class _Header(NamedTuple):
    """A section's header in ELF, field by field."""

    name: int
    kind: int
    flags: int
    address: int
    start: int
    size: int
    link: int
    info: int
    alignment: int
    entry: int


def _elf(body: bytes, machine: str) -> Parts:
    first = struct.unpack_from("<16sHHIQQQIHHHHHH", body)
    table, count, names = first[6], first[12], first[13]
    number, kinds = ELF_MACHINES.get(machine, (first[2], None))
    fixed = (ELF, RELOCATABLE, number, 1, 0, 0, table, first[7], ELF_HEADER, 0, 0, ELF_SECTION, count, names)
    _require(first == fixed and names < count, "its header is not that of a kernel for this machine")
    headers = [_Header(*fields) for fields in struct.iter_unpack("<IIQQQQIIQQ", _part(body, table, count * ELF_SECTION))]
    strings = _elf_table(body, headers, names, STRINGS)
    sections = [_elf_section(body, header, _text(strings, header.name)) for header in headers]
    spans = [(0, ELF_HEADER), (table, table + count * ELF_SECTION), *((s.start, s.stop) for s in sections)]
    tables = [index for index, header in enumerate(headers) if header.kind == SYMBOLS]
    _require(len(tables) == 1, f"it has {len(tables)} tables of symbols")
    symbols = _elf_symbols(body, headers, sections, tables[0])
    usable = {number for number, symbol in enumerate(symbols) if symbol.section or symbol.seen}
    for index, header in enumerate(headers):
        if header.kind == RELOCATIONS:
            _require(header.link == tables[0] and header.info < count, "relocations belong to no section")
            of, content = headers[header.info], _elf_table(body, headers, index, RELOCATIONS, ELF_RELOCATION)
            for where, what, _ in struct.iter_unpack("<QQq", content):
                _require(
                    where + 8 <= of.size and bool(of.flags & ALLOCATED), f"a relocation at {where} lies outside of its section"
                )
                known = what >> 32 in usable and (kinds is None or what & 0xFFFFFFFF in kinds)
                _require(known, f"the relocation at {where} is not one that kernels have")
    return Parts(sections, symbols, spans)


def _elf_table(body: bytes, headers: list[_Header], index: int, kind: int, entry: int = 1) -> bytes:
    """The bytes of a section that is a table, each entry of `entry` bytes."""
    _require(index < len(headers) and headers[index].kind == kind, f"the section {index} is not the table it should be")
    header = headers[index]
    _require(header.size % entry == 0 and (entry == 1 or header.entry == entry), f"the entries of table {index} are cut")
    return _part(body, header.start, header.size)


def _elf_section(body: bytes, header: _Header, name: bytes) -> Section:
    kind, size, alignment = header.kind, header.size, header.alignment
    loaded = kind in (PROGRAM, ZEROS, UNWINDING)
    _require(loaded or kind in (NO_SECTION, SYMBOLS, STRINGS, RELOCATIONS), f"{name!r} is not of a kind that kernels have")
    _require(not header.flags & ~KNOWN_FLAGS and header.address == 0, f"{name!r} is marked as what kernels do not have")
    _require(not loaded or size == 0 or bool(header.flags & ALLOCATED), f"{name!r} is not to be loaded")
    _require(alignment <= LARGEST_ALIGNMENT and not alignment & (alignment - 1), f"{name!r} is aligned to {alignment} bytes")
    _require(kind != ZEROS or size <= MOST_ZEROS, f"{name!r} has {size} zeros")
    content = _part(body, header.start, 0 if kind == ZEROS else size)
    if name == b".eh_frame":
        _check_unwinding(content)
    code = kind == PROGRAM and header.flags & (ALLOCATED | EXECUTABLE) == ALLOCATED | EXECUTABLE
    return Section(name, header.start, header.start + len(content), code)


def _elf_symbols(body: bytes, headers: list[_Header], sections: list[Section], table: int) -> list[Symbol]:
    strings, symbols = _elf_table(body, headers, headers[table].link, STRINGS), list[Symbol]()
    for name_start, info, _, section, value, size in struct.iter_unpack(
        "<IBBHQQ", _elf_table(body, headers, table, SYMBOLS, ELF_SYMBOL)
    ):
        name, kind, seen = _text(strings, name_start), info & 15, info >> 4 == GLOBAL
        _require(kind <= FILE and info >> 4 <= GLOBAL, f"the symbol {name!r} is not of a kind that kernels have")
        if kind == FILE:
            _require(section == ABSOLUTE and not seen, f"the symbol {name!r} is not the name of a file")
            symbols.append(Symbol(name, None, 0, False))
            continue
        _require(section < len(sections), f"the symbol {name!r} is in no section")
        _require(section == 0 or value + size <= headers[section].size, f"the symbol {name!r} lies outside of its section")
        if seen and section == 0:
            _require(name.isascii() and hasattr(_process(), name.decode()), f"this process has nothing called {name!r}")
        symbols.append(Symbol(name, sections[section] if section else None, value, seen))
    return symbols


def _check_unwinding(content: bytes) -> None:
    """Records of what to do when an error passes through, each after its length; the system reads them one after another."""
    offset = 0
    while offset < len(content):
        (length,) = struct.unpack_from("<I", content, offset)
        offset += 4 + length
        _require(length > 0 and offset <= len(content), "a record of its unwinding table has no end")


# ---- Mach-O


def _mach(body: bytes, machine: str) -> Parts:
    magic, number, _, kind, commands, size = struct.unpack_from("<6I", body)
    fixed = (MACH, MACH_MACHINES.get(machine, number), MACH_OBJECT)
    _require((magic, number, kind) == fixed, "its header is not that of a kernel for this machine")
    parts, offset, stop = Parts([], [], [(0, MACH_HEADER + size)]), MACH_HEADER, MACH_HEADER + size
    for _ in range(commands):
        command, length = struct.unpack_from("<II", body, offset)
        _require(8 <= length <= stop - offset, f"the command at {offset} reaches beyond the others")
        content = _part(body, offset, length)
        if command == SEGMENT:
            _add_mach_sections(parts, body, content)
        elif command == SYMBOL_TABLE:
            _add_mach_symbols(parts, body, content)
        elif command == MACH_HINTS:
            start, size = struct.unpack_from("<II", content, 8)
            parts.spans.append((start, start + size))
        offset += length
    return parts


def _add_mach_sections(parts: Parts, body: bytes, command: bytes) -> None:
    (count,) = struct.unpack_from("<I", command, 64)
    _require(len(command) == MACH_SEGMENT + count * MACH_SECTION, "a segment does not list its sections")
    for fields in struct.iter_unpack("<16s16sQQIIIIIIII", command[MACH_SEGMENT:]):
        name, _, address, size, start, alignment, relocations, how_many, flags, *_ = fields
        name, size_here = name.rstrip(b"\0"), 0 if flags & 0xFF == MACH_ZEROS else size
        _require(size <= MOST_ZEROS and 1 << min(alignment, 32) <= LARGEST_ALIGNMENT, f"{name!r} is larger than in a kernel")
        _part(body, relocations, how_many * MACH_RELOCATION)
        _part(body, start, size_here)
        parts.spans.extend([(relocations, relocations + how_many * MACH_RELOCATION), (start, start + size_here)])
        parts.sections.append(
            Section(name=name, start=start, stop=start + size_here, code=bool(flags & MACH_CODE), address=address)
        )


def _add_mach_symbols(parts: Parts, body: bytes, command: bytes) -> None:
    start, count, names, size = struct.unpack_from("<IIII", command, 8)
    strings, table = _part(body, names, size), _part(body, start, count * MACH_SYMBOL)
    parts.spans.extend([(start, start + len(table)), (names, names + size)])
    for name_start, kind, section, _, value in struct.iter_unpack("<IBBHQ", table):
        name = _text(strings, name_start).removeprefix(b"_")
        _require(section <= len(parts.sections), f"the symbol {name!r} is in no section")
        where = parts.sections[section - 1] if section else None
        parts.symbols.append(Symbol(name, where, value - where.address if where else 0, bool(kind & MACH_EXTERNAL)))


# ---- COFF


def _coff(body: bytes, machine: str) -> Parts:
    number, count, _, table, symbols, more, _ = struct.unpack_from("<HHIIIHH", body)
    _require(number == COFF_MACHINES.get(machine, number) and more == 0, "its header is not that of a kernel for this machine")
    start, size = COFF_HEADER, count * COFF_SECTION
    parts = Parts([], [], [(0, start + size)])
    for fields in struct.iter_unpack("<8sIIIIIIHHI", _part(body, start, size)):
        name, _, _, length, offset, relocations, _, how_many, _, flags = fields
        here = 0 if flags & COFF_ZEROS else length
        _require(length <= MOST_ZEROS, f"{name!r} is larger than in a kernel")
        _part(body, offset, here)
        _part(body, relocations, how_many * COFF_RELOCATION)
        parts.spans.extend([(offset, offset + here), (relocations, relocations + how_many * COFF_RELOCATION)])
        parts.sections.append(Section(name.rstrip(b"\0"), offset, offset + here, bool(flags & COFF_CODE)))
    names = table + symbols * COFF_SYMBOL
    (size,) = struct.unpack_from("<I", body, names)
    parts.spans.extend([(table, names), (names, names + size)])
    _add_coff_symbols(parts, _part(body, table, symbols * COFF_SYMBOL), _part(body, names, size))
    return parts


def _add_coff_symbols(parts: Parts, table: bytes, strings: bytes) -> None:
    """The symbols; each may be followed by entries that say more of it."""
    further = 0
    for name, value, section, _, seen, more in struct.iter_unpack("<8sIhHBB", table):
        if further:
            further -= 1
            continue
        further = more
        zeros, name_start = struct.unpack("<II", name)
        full = _text(strings, name_start) if zeros == 0 else name.rstrip(b"\0")
        _require(section <= len(parts.sections), f"the symbol {full!r} is in no section")
        where = parts.sections[section - 1] if section > 0 else None
        parts.symbols.append(Symbol(full, where, value, seen == COFF_EXTERNAL))
