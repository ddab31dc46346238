/** The beginning of a text, at most so many characters; none is cut in half. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  return text.slice(0, /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most)
}
