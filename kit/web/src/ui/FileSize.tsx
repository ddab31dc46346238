import { formatFileSize, formatNumber, formatSizeInText } from '@headwater/contract'

/** The size of one file in KB or MB, exact on hover. */
export function FileSize({ bytes }: { bytes: number }) {
  return <span title={`${formatNumber(bytes)} bytes`}>{formatFileSize(bytes)}</span>
}

/** An amount of storage in the largest unit up to GB, as limits are written; exact on hover. */
export function StorageSize({ bytes }: { bytes: number }) {
  return <span title={`${formatNumber(bytes)} bytes`}>{formatSizeInText(bytes)}</span>
}
