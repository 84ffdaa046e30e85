// The page of `ludus web`, which a server answers.

import { Page } from "./main.js";
import { SocketConnection } from "./socket.js";

new Page((changed) => new SocketConnection(changed));
