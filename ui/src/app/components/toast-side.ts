/** The control with the focus, if the visitor can see that it has it. */
const FOCUSED_CONTROL = ":is(a, button, input, textarea):focus-visible";

/**
 * Keeps the open toast off the focused control (PAGE-11). toast.css makes the browser scroll a control out from under
 * the toast. At the top of the page that is not possible, so the toast moves to the lower edge of the window while such
 * a control has the focus. Returns the function that ends this.
 */
export function avoidFocusedControl(toast: HTMLElement): () => void {
  const { dataset } = document.documentElement;

  function chooseSide() {
    const control = document.querySelector(FOCUSED_CONTROL);
    // A toast that moved away from the pointer or the focus could not be dismissed.
    if (toast.contains(control)) return;
    const previousSide = dataset.toast;
    dataset.toast = "top";
    // Not its rectangle, which moves during the animation.
    const edge = toast.offsetTop + toast.offsetHeight;
    if (!control) return;
    const { top, bottom } = control.getBoundingClientRect();
    if (top + scrollY < edge) dataset.toast = "bottom";
    // A new toast scrolls only a control that it would cover: the form has scrolled its confirmation into view. After
    // that, some browsers have scrolled before this event, with the toast at its previous side.
    const mayBeCovered = previousSide ? previousSide !== dataset.toast : top < edge && bottom > 0;
    if (mayBeCovered) control.scrollIntoView({ block: "nearest" });
  }

  chooseSide();
  document.addEventListener("focusin", chooseSide);
  return () => {
    document.removeEventListener("focusin", chooseSide);
    delete dataset.toast;
  };
}
