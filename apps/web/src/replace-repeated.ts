import { createPath, type DataRouter, type To } from 'react-router'

/**
 * Makes going to the address one is at replace its entry in the history instead of adding a second one, as browsers do
 * with links: a double click then needs one step back, not two.
 */
export function replaceRepeated(router: Pick<DataRouter, 'navigate' | 'state' | 'encodeLocation'>): void {
  const navigate = router.navigate.bind(router)
  function navigateOnce(to: number | To | null, options?: Parameters<typeof navigate>[1]): Promise<void> {
    if (typeof to === 'number') return navigate(to)
    // A link says for itself that it adds an entry, by an address that a second click comes too early for.
    const isRepeated = to !== null && leadsHere(to)
    return navigate(to, isRepeated ? { ...options, replace: true } : options)
  }
  function leadsHere(to: To): boolean {
    const path = typeof to === 'string' ? to : to.pathname
    if (path?.startsWith('/') !== true) return false
    const { location } = router.state
    return createPath(router.encodeLocation(to)) === createPath(location)
  }
  router.navigate = navigateOnce
}
