/**
 * The values of the form fields that have left the page, by the ids of the fields (PAGE-8). They are kept in no storage
 * of the browser (PAGE-13), and not in the state of a component: after an uncaught error, React has removed all components,
 * and failure.ts needs the values for the served page (PAGE-19).
 */
export const drafts = new Map<string, string>();
