import { useEffect } from 'react'
import { isFramed } from '@headwater/accounts/web'
import { watchFrameHeight } from './frame-height.ts'

/** Inside a frame, reports the height of the page with all its tiles to the parent page. */
export function useFrameHeight(): void {
  useEffect(() => {
    if (!isFramed()) return
    return watchFrameHeight({
      measure: contentHeight,
      // The height is not secret, and any allowed site can embed an insight, so the target origin is not restricted.
      send: (message) => window.parent.postMessage(message, '*'),
      after(delayMs, callback) {
        const timer = setTimeout(callback, delayMs)
        return () => clearTimeout(timer)
      },
    })
  }, [])
}

/** Returns the height of the whole page, independent of the height of the frame, because the content scrolls inside it. */
function contentHeight(): number | undefined {
  const content = document.querySelector('#page > div > div')
  const last = content?.lastElementChild
  if (!content || !last) return undefined
  const padding = Number.parseFloat(getComputedStyle(content).paddingBottom)
  return last.getBoundingClientRect().bottom + content.scrollTop + padding
}
