import { useEffect } from 'react'
import type { Basket } from './basket.ts'

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

/** What was changed in a panel that was closed, and the basket it was changed from. */
let kept: { from: Basket; to: Basket } | undefined

/** Keeps what is changed in the panel, so that it is there when the panel is opened again. */
export function useKeptBasket(from: Basket, to: Basket): void {
  useEffect(() => {
    kept = { from, to }
  }, [from, to])
}

/** What was changed from a basket before its panel was closed; the basket itself if nothing was, or another one is shown now. */
export function keptBasket(from: Basket): Basket {
  return kept?.from === from ? kept.to : from
}

/** Whether the panel of the basket has changes that were not applied yet. */
export function isBasketPending(): boolean {
  return pending !== undefined
}

/** Applies what was changed in the panel of the basket, if anything; false when it cannot be applied, which has been told. */
export function applyPendingBasket(): boolean {
  return pending === undefined || pending()
}
