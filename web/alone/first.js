// Runs before anything is drawn: it says which of the boards in the HTML is shown, and whether another page holds this one in a frame.
{
  const { documentElement: root } = document;
  const given = new URLSearchParams(location.hash.slice(1));
  root.classList.toggle("framed", parent !== window);
  if (given.has("game")) root.dataset.first = given.get("game");
  if (given.has("start") || given.has("moves")) root.dataset.first = "";
}
