/** The short hash of the built source, or `dev`. */
declare const __BUILD__: string;
