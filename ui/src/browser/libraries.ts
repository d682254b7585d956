/**
 * The libraries (DECISION-32) are a script of their own. A browser runs them and the app in two tasks, between which it responds to
 * input, and keeps them in its cache when only the app has changed.
 */
import "react/jsx-runtime";
import "react-dom/client";
