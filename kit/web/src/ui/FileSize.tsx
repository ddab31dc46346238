import { formatFileSize, formatNumber, formatSizeInText } from '@headwater/contract'

/** Shows the size of a file in KB or MB; the exact size is in the tooltip. */
export function FileSize({ bytes }: { bytes: number }) {
  return <span title={`${formatNumber(bytes)} bytes`}>{formatFileSize(bytes)}</span>
}

/**
 * Shows an amount of storage in the largest suitable unit up to GB, in the same format as limits; the exact amount is in the
 * tooltip.
 */
export function StorageSize({ bytes }: { bytes: number }) {
  return <span title={`${formatNumber(bytes)} bytes`}>{formatSizeInText(bytes)}</span>
}
