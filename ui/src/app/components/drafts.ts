/**
 * The values of the form fields that have left the page, by the ids of the fields (PAGE-8). They are kept in no storage
 * of the browser (PAGE-13).
 */
export const drafts = new Map<string, string>();
