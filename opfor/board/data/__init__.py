"""Boards that come with the program, one ``NAME.board`` a map sheet; see :mod:`opfor.board.library`."""
