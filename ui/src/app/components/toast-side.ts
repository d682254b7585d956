/** The control with the focus, if the visitor can see that it has it. */
const FOCUSED_CONTROL = ":is(a, button, input, textarea, summary):focus-visible";

/** Where the form is at the side: its button is not at the lower edge of the window. */
const WIDE_WINDOW = "(min-width: 64rem)";

/**
 * Keeps the open toast off the focused control (PAGE-11). It is at the lower edge of a wide window, at the upper one of
 * another. toast.css makes the browser scroll a control out from under it. At the end of the page that is not possible, so
 * the toast is at the other edge while such a control has the focus. Returns the function that ends this.
 */
export function avoidFocusedControl(toast: HTMLElement): () => void {
  const { documentElement } = document;
  const { dataset } = documentElement;

  function chooseSide() {
    const control = document.querySelector(FOCUSED_CONTROL);
    // A toast that moved away from the pointer or the focus could not be dismissed.
    if (toast.contains(control)) return;
    const previousSide = dataset.toast;
    const isWide = matchMedia(WIDE_WINDOW).matches;
    dataset.toast = isWide ? "bottom" : "top";
    if (!control) return;
    // Not its rectangle, which moves during the animation.
    const edge = isWide ? innerHeight - toast.offsetTop : toast.offsetTop + toast.offsetHeight;
    const { top, bottom } = control.getBoundingClientRect();
    // From the edge of the window that has the toast, and from that end of the page.
    const [near, far] = isWide ? [innerHeight - bottom, innerHeight - top] : [top, bottom];
    const beyond = isWide ? documentElement.scrollHeight - innerHeight - scrollY : scrollY;
    if (near + beyond < edge) dataset.toast = isWide ? "top" : "bottom";
    // A new toast scrolls only a control that it would cover: the form has scrolled its confirmation into view. After
    // that, some browsers have scrolled before this event, with the toast at its previous side.
    const mayBeCovered = previousSide ? previousSide !== dataset.toast : near < edge && far > 0;
    if (mayBeCovered) control.scrollIntoView({ block: "nearest" });
  }

  chooseSide();
  document.addEventListener("focusin", chooseSide);
  return () => {
    document.removeEventListener("focusin", chooseSide);
    delete dataset.toast;
  };
}
