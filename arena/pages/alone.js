// A game in a notebook.

import { showFilms } from "./shared/replay.js";

showFilms();
