/** The control with the focus, if the visitor can see that it has it. */
const FOCUSED_CONTROL = ":is(a, button, input, textarea, summary):focus-visible";

/**
 * Keeps the open toast off the focused control (PAGE-11). It is at the lower edge of the window. toast.css makes the browser
 * scroll a control out from under it. At the end of the page that is not possible, so the toast is at the upper edge while
 * such a control has the focus. Returns the function that ends this.
 */
export function avoidFocusedControl(toast: HTMLElement): () => void {
  const { documentElement } = document;
  const { dataset } = documentElement;

  function chooseSide() {
    const control = document.querySelector(FOCUSED_CONTROL);
    // A toast that moved away from the pointer or the focus could not be dismissed.
    if (toast.contains(control)) return;
    const previousSide = dataset.toast;
    dataset.toast = "bottom";
    if (!control) return;
    const { top, bottom } = control.getBoundingClientRect();
    // Not its rectangle, which moves during the animation.
    const edge = toast.offsetTop;
    if (bottom - (documentElement.scrollHeight - innerHeight - scrollY) > edge) dataset.toast = "top";
    // A new toast scrolls only a control that it would cover: the form has scrolled its button into view. After
    // that, some browsers have scrolled before this event, with the toast at its previous side.
    const mayBeCovered = previousSide ? previousSide !== dataset.toast : bottom > edge && top < innerHeight;
    if (mayBeCovered) control.scrollIntoView({ block: "nearest" });
  }

  chooseSide();
  document.addEventListener("focusin", chooseSide);
  return () => {
    document.removeEventListener("focusin", chooseSide);
    delete dataset.toast;
  };
}
