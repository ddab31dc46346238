import { formatFileSize, formatNumber } from '../format/number.ts'

/** A size in KB or MB, exact on hover. */
export function FileSize({ bytes }: { bytes: number }) {
  return <span title={`${formatNumber(bytes)} bytes`}>{formatFileSize(bytes)}</span>
}
