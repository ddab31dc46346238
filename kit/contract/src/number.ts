const plain = new Intl.NumberFormat('en-US')

/** Formats a number for screens: `18402` becomes `18,402`. `decimals` fixes the number of decimal places. */
export function formatNumber(value: number, decimals?: number): string {
  if (decimals === undefined) return plain.format(value)
  return new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value)
}

/** Formats a count with its noun: `1 file`, `2 files`. `plural` defaults to the noun plus “s”. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`
}

/**
 * Formats a size in KB or, from one million bytes, in MB. Divides by 1000 and uses two decimals: 1500 becomes `1.50
 * KB`. A size that would round to 0.00 KB becomes `< 0.01 KB`.
 */
export function formatFileSize(sizeBytes: number): string {
  if (sizeBytes > 0 && sizeBytes < 5) return '< 0.01 KB'
  const megabytes = sizeBytes >= 1_000_000
  return `${formatNumber(sizeBytes / (megabytes ? 1_000_000 : 1000), 2)} ${megabytes ? 'MB' : 'KB'}`
}

/**
 * Formats a size for a sentence, in the largest unit up to GB, with at most two decimals: 60000 becomes `60 KB`, 1
 * becomes `1 byte`.
 */
export function formatSizeInText(sizeBytes: number): string {
  const unit = sizeUnits.find(({ bytes }) => sizeBytes >= bytes)
  if (unit === undefined) return countOf(sizeBytes, 'byte')
  return `${plain.format(Math.round((100 * sizeBytes) / unit.bytes) / 100)} ${unit.name}`
}

const sizeUnits = [
  { bytes: 1e9, name: 'GB' },
  { bytes: 1e6, name: 'MB' },
  { bytes: 1000, name: 'KB' },
]
