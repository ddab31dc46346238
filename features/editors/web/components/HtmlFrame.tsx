import { useEffect, useMemo, useRef } from 'react'
import { useOnline, useColorScheme } from '@headwater/web-kit'
import styles from './HtmlFrame.module.css'

/** Tokens of the theme that code can use as CSS variables. */
const tokens = [
  'text',
  'text-2',
  'surface',
  'line',
  'accent',
  ...Array.from({ length: 8 }, (_, index) => `series-${index + 1}`),
].map((name) => `--${name}`)

/**
 * Runs HTML of users in a frame with its own origin. Its scripts cannot access this page, and the network only by WebRTC, so
 * the caller passes only data that the author of the document can have. `headwater.data` contains the data. A change of the document or the data reloads the frame.
 */
export function HtmlFrame({
  html,
  data = null,
  title,
}: {
  html: string
  /** Plain values for the scripts of the document. Default null. */
  data?: object | null
  /** Accessible name. */
  title: string
}) {
  const scheme = useColorScheme()
  const isOnline = useOnline()
  const frame = useRef<HTMLIFrameElement>(null)
  const wanted = useMemo(() => ({ html, data, scheme }), [html, data, scheme])
  const running = useRef<object>(undefined)
  useEffect(() => {
    const element = frame.current
    // Offline, a new frame would show the error page of the browser. A running frame continues.
    if (element === null || !isOnline || running.current === wanted) return
    let sent = false
    function onMessage({ source, data: message }: MessageEvent<unknown>) {
      const target = element!.contentWindow
      if (sent || target === null || source !== target || !isReady(message)) return
      sent = true
      running.current = wanted
      target.postMessage({ html: wanted.html, data: wanted.data, style: styleOf(wanted.scheme) }, '*')
    }
    window.addEventListener('message', onMessage)
    element.src = '/sandbox'
    return () => window.removeEventListener('message', onMessage)
  }, [wanted, isOnline])
  return <iframe ref={frame} className={styles.frame} title={title} sandbox="allow-scripts" />
}

function isReady(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'sandbox' in message && message.sandbox === 'ready'
  )
}

/** Returns default styles for a document. */
function styleOf(scheme: 'light' | 'dark'): string {
  const own = getComputedStyle(document.documentElement)
  const values = tokens.map((name) => `${name}:${own.getPropertyValue(name)}`).join(';')
  return (
    `:root{color-scheme:${scheme};${values}}` +
    ':where(body){margin:0;padding:4px 14px 14px;font:13px/1.5 system-ui,sans-serif;color:var(--text)}' +
    ':where(a){color:var(--accent)}'
  )
}
