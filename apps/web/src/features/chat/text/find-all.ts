/** Where any of these stand in a text, from and to, whatever their case. */
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
