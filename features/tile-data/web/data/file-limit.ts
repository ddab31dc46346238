import { formatFileSize } from '@headwater/contract'

/** Returns the error message for a file that is too large. */
export function tooLargeText(fileName: string, sizeBytes: number, limitBytes: number): string {
  return `${fileName} is ${formatFileSize(sizeBytes)}. A tile shows files of at most ${formatFileSize(limitBytes)}. Choose a smaller file.`
}
