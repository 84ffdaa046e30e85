"""The page without a server: everything that plays and analyses the games, in one file.

The modules of web/page are the same as on `ludus web`. Here a Web Worker answers their requests: desk.js, with the kernels of
web/kernels. files.py makes what the worker loads.
"""
