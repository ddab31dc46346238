/** What is said of a file that is larger than a tile shows. */
export function tooLargeText(fileName: string, sizeBytes: number, limitBytes: number): string {
  return `${fileName} has ${megabytes(sizeBytes)} MB; a tile shows files of at most ${megabytes(limitBytes)} MB. Choose a smaller one.`
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })
}
