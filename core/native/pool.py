"""The thread pool of kernels, as LLVM text: workers take parts of a batch without Python, the GIL or the system.

A thread that sleeps takes some fifty microseconds to wake, longer than a whole batch of small boards. So the workers watch
a word in memory for a moment before they go to sleep, and a batch is cut into more parts than there are threads, which
a free thread takes next. The pool is an array of words that callers and workers share:

    0 TICKET   which batch this is, counted up
    1 CLAIM    ticket · 2³² + the next part to take; of no ticket (-1) while a batch is being laid out, so that a
               worker who comes late to the last batch takes nothing of the next before it is whole
    2 DONE     parts finished
    3-7        parts, job, its arguments, the first row, one past the last
    8 BUSY     1 while a batch runs; a second caller then works alone, in its own thread
    9 WORKERS  how many threads serve besides the caller
    10 LEAST   the fewest rows that pay for a part
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WORDS = 16
NAMES = ("ticket", "claim", "done", "parts", "job", "arguments", "first", "end", "busy", "workers", "least")
WORKERS, LEAST = NAMES.index("workers"), NAMES.index("least")
SPINS = 400_000  # looks at the ticket before a worker goes to sleep: a tenth of a millisecond or two, longer than waking it takes


def new_pool(least: int) -> NDArray[np.int64]:
    """A pool without workers yet."""
    pool = np.zeros(WORDS, np.int64)
    pool[LEAST] = least
    return pool


def places(*names: str) -> str:
    """LLVM text that finds the named words of a pool."""
    return "\n  ".join(f"%at_{name} = getelementptr i64, ptr %pool, i64 {NAMES.index(name)}" for name in names)


RUN = """
define internal void @pool_work(ptr %pool, i64 %ticket) {
  {at_work}
  br label %look
look:
  %claim = load atomic i64, ptr %at_claim acquire, align 8
  %of = lshr i64 %claim, 32
  %current = icmp eq i64 %of, %ticket
  br i1 %current, label %more, label %out
more:
  %part = and i64 %claim, 4294967295
  %parts = load i64, ptr %at_parts
  %left = icmp ult i64 %part, %parts
  br i1 %left, label %take, label %out
take:
  %next = add i64 %claim, 1
  %pair = cmpxchg ptr %at_claim, i64 %claim, i64 %next acq_rel acquire
  %mine = extractvalue { i64, i1 } %pair, 1
  br i1 %mine, label %work, label %look
work:
  %job = load ptr, ptr %at_job
  %arguments = load ptr, ptr %at_arguments
  %first = load i64, ptr %at_first
  %end = load i64, ptr %at_end
  %rows = sub i64 %end, %first
  %before = mul i64 %rows, %part
  %after = add i64 %before, %rows
  %from = udiv i64 %before, %parts
  %to = udiv i64 %after, %parts
  %lo = add i64 %first, %from
  %hi = add i64 %first, %to
  call void %job(ptr %arguments, i64 %lo, i64 %hi)
  %finished = atomicrmw add ptr %at_done, i64 1 acq_rel
  br label %look
out:
  ret void
}

define internal void @pool_run(ptr %pool, ptr %job, ptr %arguments, i64 %first, i64 %end) {
  {at_all}
  %workers = load i64, ptr %at_workers
  %least = load i64, ptr %at_least
  %rows = sub i64 %end, %first
  %worthwhile = udiv i64 %rows, %least
  %threads = add i64 %workers, 1
  %wanted = mul i64 %threads, 4  ; rows differ in work: with one part a thread, all would wait for the slowest
  %fewer = icmp ult i64 %worthwhile, %wanted
  %parts = select i1 %fewer, i64 %worthwhile, i64 %wanted
  %some = icmp ugt i64 %parts, 1
  %served = icmp ugt i64 %workers, 0
  %share = and i1 %some, %served
  br i1 %share, label %enter, label %alone
enter:
  %pair = cmpxchg ptr %at_busy, i64 0, i64 1 acq_rel acquire
  %free = extractvalue { i64, i1 } %pair, 1
  br i1 %free, label %publish, label %alone
publish:
  store atomic i64 -1, ptr %at_claim release, align 8
  fence seq_cst  ; on arm64 the stores below could else be seen first, and a late worker would mix two batches
  store i64 %parts, ptr %at_parts
  store ptr %job, ptr %at_job
  store ptr %arguments, ptr %at_arguments
  store i64 %first, ptr %at_first
  store i64 %end, ptr %at_end
  store i64 0, ptr %at_done
  %last = load i64, ptr %pool
  %counted = add i64 %last, 1
  %ticket = and i64 %counted, 2147483647
  %claim = shl i64 %ticket, 32
  store atomic i64 %claim, ptr %at_claim release, align 8
  store atomic i64 %ticket, ptr %pool release, align 8
  call void @pool_work(ptr %pool, i64 %ticket)
  br label %wait
wait:
  %done = load atomic i64, ptr %at_done acquire, align 8
  %whole = icmp eq i64 %done, %parts
  br i1 %whole, label %leave, label %wait
leave:
  store atomic i64 0, ptr %at_busy release, align 8
  ret void
alone:
  call void %job(ptr %arguments, i64 %first, i64 %end)
  ret void
}
""".replace("{at_work}", places(*NAMES[1:8])).replace("{at_all}", places(*NAMES[1:]))
"""`pool_run` cuts a batch into parts and works on them beside the workers until all are done."""

SERVE = (
    RUN
    + """
define internal i64 @serve_words(ptr %pool, i64 %words, i64 %spins) {
  br label %again
again:
  %seen = phi i64 [ 0, %0 ], [ %ticket, %worked ]
  br label %look
look:
  %looks = phi i64 [ 0, %again ], [ %counted, %idle ]
  %ticket = load atomic i64, ptr %pool acquire, align 8
  %new = icmp ne i64 %ticket, %seen
  br i1 %new, label %worked, label %idle
worked:
  call void @pool_work(ptr %pool, i64 %ticket)
  br label %again
idle:
  %counted = add i64 %looks, 1
  %patient = icmp ult i64 %counted, %spins
  br i1 %patient, label %look, label %sleep
sleep:
  ret i64 0
}
"""
)
"""`serve` works on parts as they come, and returns after `spins` looks without a new batch."""
