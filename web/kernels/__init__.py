"""The games without a server: their kernels for browsers, and the JavaScript that calls them.

building.py compiles the kernels of all games to one module of WebAssembly, and describes it in a document; `make page` writes both.
In a page, kernels.js loads them, games.js asks for the rules of a game, and policies.js chooses moves and says what
policies think. No rule and no search is written in JavaScript.
"""
