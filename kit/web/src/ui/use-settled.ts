import { useEffect, useState } from 'react'

/**
 * Returns a debounced value: changes after `value` has not changed for `delayMs` milliseconds. Returns the first value
 * immediately.
 */
export function useSettled<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(() => value)
  useEffect(() => {
    if (Object.is(settled, value)) return
    const timer = setTimeout(() => setSettled(() => value), delayMs)
    return () => clearTimeout(timer)
  }, [value, settled, delayMs])
  return settled
}
