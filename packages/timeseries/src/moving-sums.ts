/** Windows of up to so many rows are added up one by one. */
const shortWindow = 16

/**
 * The sum of each `count` successive rows: two additions a row however long the window is. Nothing is subtracted, so nothing of another
 * window is left over, and NaN spoils only the windows it is in.
 */
export function movingSums(rows: Float64Array, count: number): Float64Array {
  const sums = new Float64Array(Math.max(0, rows.length - count + 1))
  if (count <= shortWindow) addOneByOne(rows, count, sums)
  else addByBlocks(rows, count, sums)
  return sums
}

function addOneByOne(rows: Float64Array, count: number, sums: Float64Array): void {
  for (let row = 0; row < sums.length; row++) {
    let sum = rows[row]!
    for (let at = row + 1; at < row + count; at++) sum += rows[at]!
    sums[row] = sum
  }
}

/** A window is the end of one block and the beginning of the next. */
function addByBlocks(rows: Float64Array, count: number, sums: Float64Array): void {
  const toEnd = new Float64Array(count)
  for (let block = 0; block < sums.length; block += count) {
    toEnd[count - 1] = rows[block + count - 1]!
    for (let at = count - 2; at >= 0; at--) toEnd[at] = rows[block + at]! + toEnd[at + 1]!
    sums[block] = toEnd[0]!
    let sum = 0
    for (let at = 1; at < count && block + at < sums.length; at++) {
      sum += rows[block + count - 1 + at]!
      sums[block + at] = toEnd[at]! + sum
    }
  }
}
