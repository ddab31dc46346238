/** Returns a string without line breaks, for subjects and sentences in e-mails. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Returns the paragraph of an e-mail with a link to a page; without a public URL, it contains only the path. */
export function linkParagraph(publicUrl: string | undefined, path: string, sentence: string): string {
  return publicUrl === undefined
    ? `Open Headwater and add this path to its address:\n${path}`
    : `${sentence}\n${publicUrl.replace(/\/+$/, '')}${path}`
}
