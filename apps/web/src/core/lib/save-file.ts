/** Long enough for a browser that reads the file only after the person has chosen where to save it. */
const KEEP_MS = 60_000;

/** Offers the text to the browser as a download. */
export function saveFile(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}
