// Improves pages that work without script. Each part looks for the element that it is about.

const enter = document.querySelector("form[data-enter]");
if (enter && location.hash.length > 1) {
  const field = enter.querySelector("[name=token]");
  field.value = location.hash.slice(1);
  enter.querySelector("[data-paste]").hidden = true;
  // The token does not stay in the history.
  history.replaceState(null, "", location.pathname + location.search);
  enter.querySelector("button").focus();
}
