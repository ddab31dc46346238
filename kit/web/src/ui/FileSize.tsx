import { formatFileSize, formatNumber } from '@headwater/contract'

/** A size in KB or MB, exact on hover. */
export function FileSize({ bytes }: { bytes: number }) {
  return <span title={`${formatNumber(bytes)} bytes`}>{formatFileSize(bytes)}</span>
}
