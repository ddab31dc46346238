import { useEffect, useState } from 'react'

/** Returns a value once it has not changed for a time, in milliseconds (debounced). The first value is returned at once. */
export function useSettled<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(() => value)
  useEffect(() => {
    if (Object.is(settled, value)) return
    const timer = setTimeout(() => setSettled(() => value), delayMs)
    return () => clearTimeout(timer)
  }, [value, settled, delayMs])
  return settled
}
