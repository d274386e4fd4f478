/** Start and end of each occurrence of the words in a text, ignoring case. */
export function findAll(text: string, words: readonly string[]): [number, number][] {
  const low = text.toLowerCase();
  return words.flatMap((word) => {
    const wanted = word.toLowerCase();
    const places: [number, number][] = [];
    if (wanted === '') return places;
    for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, at + wanted.length)) {
      places.push([at, at + wanted.length]);
    }
    return places;
  });
}
