type RoundingMode = 'UP' | 'DOWN' | 'CEILING' | 'FLOOR' | 'HALF_UP' | 'HALF_EVEN'

/** Rounds the decimal number that the shortest text of a double represents, with integer arithmetic only. */
export function roundDecimal(value: number, decimals: number, mode: RoundingMode): number {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))
  if (!match) throw new Error(`${value} is not a decimal number.`)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  let units = BigInt(whole + fraction)
  const scale = fraction.length - Number(exponent)
  if (scale <= decimals) return value === 0 ? 0 : value
  const divisor = 10n ** BigInt(scale - decimals)
  const rest = units % divisor
  units /= divisor
  const isAway = {
    UP: rest > 0n,
    DOWN: false,
    CEILING: rest > 0n && sign === '',
    FLOOR: rest > 0n && sign === '-',
    HALF_UP: rest * 2n >= divisor,
    HALF_EVEN: rest * 2n > divisor || (rest * 2n === divisor && units % 2n === 1n),
  }[mode]
  if (isAway) units++
  const digits = String(units).padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const rounded = Number(`${sign}${digits.slice(0, at)}.${digits.slice(at)}0`)
  return rounded === 0 ? 0 : rounded
}
