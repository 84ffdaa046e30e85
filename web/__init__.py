"""The board in the browser: play any policy, and see what an oracle says about each move.

server.py serves a page and answers its requests; it stores nothing about a game, which is in the page's address.
thinkers.py runs policies and oracles in other processes. page/ has the files that the browser loads.
"""
