// What the browser keeps from one visit to the next, and the clipboard. A browser may refuse both.

// What is kept by a name, or else what is given.
export function readKept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function writeKept(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // then nothing is kept
  }
}

// Whether a text could be copied.
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
