/**
 * Watches the served page until React takes it over. If a translation or an extension has changed the page before, React
 * cannot use its elements and renders new ones. Returns the function to call then, which continues the page as the
 * visitor left it (PAGE-18): a page with a form gets what was entered, any other page is put back, and React is unmounted.
 */
export function watchServedPage(root: HTMLElement): (unmount: () => void) => void {
  const nodes = [...root.childNodes];
  let focused = document.activeElement;
  // React replaces the elements, one of which may have the focus, in one task. A microtask comes after that task.
  const recordFocus = () =>
    queueMicrotask(() => {
      focused = document.activeElement;
    });
  addEventListener("focusin", recordFocus);
  addEventListener("focusout", recordFocus);

  return (unmount) => {
    // Not for later errors, nor for the second one of several.
    if (nodes.length === 0 || nodes[0]?.isConnected) return;
    const page = root.cloneNode(false) as HTMLElement;
    page.append(...nodes.splice(0));
    if (page.querySelector("form")) {
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

/** Moves values, selections and an early submit (start.ts) from the elements of one page to those of the other. */
function moveInput(from: HTMLElement, to: HTMLElement): void {
  for (const control of from.querySelectorAll<HTMLInputElement>("form [name]")) {
    const target = counterpart(control, from, to) as HTMLInputElement;
    target.value = control.value;
    const { selectionStart, selectionEnd, selectionDirection } = control;
    // A field for an address has no selection that scripts can read.
    if (selectionStart !== null) target.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? "none");
  }
  Object.assign((to.querySelector("form") as HTMLElement).dataset, from.querySelector("form")?.dataset);
}

/** The same element of another page: by its name, or as the n-th one with its tag. */
function counterpart(element: Element, from: HTMLElement, to: HTMLElement): Element | null {
  const name = element.getAttribute("name");
  if (name) return to.querySelector(`[name="${name}"]`);
  const index = [...from.querySelectorAll(element.localName)].indexOf(element);
  return to.querySelectorAll(element.localName)[index] ?? null;
}
