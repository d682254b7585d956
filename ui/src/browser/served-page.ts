/** The form of the site; an extension may insert others. */
const FORM = ".contact-form";

/**
 * Watches the served page until React takes it over. If a translation or an extension has changed the page before, React
 * cannot use its elements and renders new ones. Returns a function to call in that case (PAGE-18): it moves the entered
 * text into the new form. On a page without a form, it restores the served page and unmounts React.
 */
export function watchServedPage(root: HTMLElement): (unmount: () => void) => void {
  const servedNodes = [...root.childNodes];
  let focused = document.activeElement;
  // React replaces the elements, one of which may have the focus, in one task. A microtask comes after that task.
  const recordFocus = () =>
    queueMicrotask(() => {
      focused = document.activeElement;
    });
  addEventListener("focusin", recordFocus);
  addEventListener("focusout", recordFocus);

  return (unmount) => {
    // React may report several errors. The error that replaced the nodes empties the list below; errors after the hydration
    // replace no nodes.
    if (servedNodes.length === 0 || servedNodes[0]?.isConnected) return;
    const page = root.cloneNode(false) as HTMLElement;
    page.append(...servedNodes.splice(0));
    if (page.querySelector(FORM)) {
      moveInput(page, root);
      if (focused && page.contains(focused)) focused = counterpart(focused, page, root);
    } else {
      // React listens for events at the old root.
      root.replaceWith(page);
      unmount();
    }
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  };
}

/** Moves values, selections and an early submit (start.ts) from the form of one page to the other. */
function moveInput(from: HTMLElement, to: HTMLElement): void {
  // An extension may have inserted controls of its own, which the new page does not have.
  for (const target of to.querySelectorAll<HTMLInputElement>(`${FORM} :is(input, textarea)`)) {
    const control = counterpart(target, to, from) as HTMLInputElement | null;
    if (!control) continue;
    target.value = control.value;
    const { selectionStart, selectionEnd, selectionDirection } = control;
    // A field for an address has no selection that scripts can read.
    if (selectionStart !== null) target.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? "none");
  }
  Object.assign(to.querySelector<HTMLElement>(FORM)?.dataset ?? {}, from.querySelector<HTMLElement>(FORM)?.dataset);
}

/**
 * The same element of another page: by its id, or as the n-th one with its tag and first class. A password manager may have
 * added more classes.
 */
function counterpart(element: Element, from: HTMLElement, to: HTMLElement): Element | null {
  if (element.id) return to.querySelector(`#${CSS.escape(element.id)}`);
  const same = (root: HTMLElement) =>
    [...root.querySelectorAll(element.localName)].filter((other) => other.classList[0] === element.classList[0]);
  return same(to)[same(from).indexOf(element)] ?? null;
}
