import { useEffect } from 'react'

/** Applies the changes in the basket panel; returns whether that was possible. */
type Apply = () => boolean

/** The page has at most one basket panel. */
let pending: Apply | undefined

/** Lets other parts of the page apply pending changes of the basket; undefined if there are none. */
export function usePendingBasket(apply: Apply | undefined): void {
  useEffect(() => {
    pending = apply
    return () => {
      pending = undefined
    }
  })
}

/** Returns whether the basket panel has pending changes. */
export function isBasketPending(): boolean {
  return pending !== undefined
}

/** Applies pending changes of the basket panel; returns false, after a message, if that is not possible. */
export function applyPendingBasket(): boolean {
  return pending === undefined || pending()
}
