"""The compiler of kernels: from Python's syntax trees to LLVM text. docs/kernels.md defines the language.

    link.py          which functions a kernel reaches, and a fingerprint of their code
    signature.py     arguments by annotation
    target.py        the machine that it is made for
    source.py        a function's text and tree; the error that names its file and line, and its words for constructs
    types.py         types, how two of them join, and how values lie in registers and arrays
    program.py       a kernel with all functions that it reaches, each once for the types it is called with
    body.py          one function: its variables, and who translates which construct
    text.py          instructions, blocks, places in memory, and how a value gets from one type to another
    statements.py    assignments, branches, loops
    expressions.py   names, constants, choices
    arithmetic.py    operators and comparisons; what some processors do in an instruction or two
    arrays.py        elements, rows and slices
    calls.py         functions of the kernel, and those of Python, math and numpy that the language knows

A construct is added by a function marked `@translates(ast.…)` in one of the four files in the middle.
"""
