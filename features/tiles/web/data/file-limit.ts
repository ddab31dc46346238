import { formatFileSize } from '@headwater/contract'

/** What is said of a file that is larger than a tile shows. */
export function tooLargeText(fileName: string, sizeBytes: number, limitBytes: number): string {
  return `${fileName} has ${formatFileSize(sizeBytes)}; a tile shows files of at most ${formatFileSize(limitBytes)}. Choose a smaller one.`
}
