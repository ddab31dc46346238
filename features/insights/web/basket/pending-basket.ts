import { useEffect } from 'react'

/** Applies what was changed in the panel of the basket; tells whether that could be done. */
type Apply = () => boolean

/** At most one panel of the basket is on the page. */
let pending: Apply | undefined

/** Lets changes of the basket that were not applied yet be applied from elsewhere on the page; undefined while there are none. */
export function usePendingBasket(apply: Apply | undefined): void {
  useEffect(() => {
    pending = apply
    return () => {
      pending = undefined
    }
  })
}

/** Whether the panel of the basket has changes that were not applied yet. */
export function isBasketPending(): boolean {
  return pending !== undefined
}

/** Applies what was changed in the panel of the basket, if anything; false when it cannot be applied, which has been told. */
export function applyPendingBasket(): boolean {
  return pending === undefined || pending()
}
