import { useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconExclamationCircle from '@tabler/icons-react/dist/esm/icons/IconExclamationCircle.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useStore } from '../call/store.ts'
import { Button } from './Button.tsx'
import styles from './Toasts.module.css'
import {
  type VisibleToast,
  type ToastKind,
  dismissToast,
  holdToast,
  releaseToast,
  visibleToasts,
} from './toasts.ts'

const icons = {
  success: IconCircleCheck,
  error: IconExclamationCircle,
  warn: IconAlertTriangle,
  info: IconInfoCircle,
} satisfies Record<ToastKind, unknown>

/**
 * The toasts. The shell renders them once. They appear in the empty lower part of a pinned sidebar
 * (`data-toast-space`). Without such a sidebar, they are a bar along the lower edge of the page, and beside the controls of a canvas. `--toasts-height`
 * is the distance from their upper edge to the lower edge of the window: pages and dialogs end above it, and panels add
 * it below their content. They are outside the root element, because an open dialog makes everything in the root inert.
 */
export function Toasts() {
  const toasts = useStore(visibleToasts)
  const stack = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      const { top, height } = stack.current!.getBoundingClientRect()
      style.setProperty('--toasts-height', `${height === 0 ? 0 : Math.ceil(innerHeight - top)}px`)
    })
    // Its padding appears with the first toast and is part of the height.
    observer.observe(stack.current!, { box: 'border-box' })
    return () => {
      observer.disconnect()
      style.removeProperty('--toasts-height')
    }
  }, [])
  return createPortal(
    <section
      ref={stack}
      className={styles.stack}
      aria-label="Notifications"
      aria-live="polite"
      aria-relevant="additions"
    >
      {toasts.map((toast) => (
        <Toast key={toast.id} toast={toast} />
      ))}
    </section>,
    document.body,
  )
}

function Toast({ toast }: { toast: VisibleToast }) {
  const Icon = icons[toast.kind]
  const { action } = toast
  return (
    <div
      className={styles.toast}
      data-kind={toast.kind}
      role={toast.kind === 'error' ? 'alert' : undefined}
      onPointerEnter={() => holdToast(toast.id)}
      onPointerLeave={() => releaseToast(toast.id)}
    >
      <Icon size={16} stroke={1.6} className={styles.icon} aria-hidden="true" />
      <div className={styles.content}>
        <div className={styles.message}>
          <p className={styles.title}>{toast.title}</p>
          {toast.text === undefined ? null : <p className={styles.text}>{toast.text}</p>}
        </div>
        {action === undefined ? null : (
          <Button
            variant="quiet"
            href={action.href}
            onClick={() => {
              action.onClick?.()
              dismissToast(toast.id)
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <button
        type="button"
        className={styles.close}
        aria-label="Dismiss"
        onClick={() => dismissToast(toast.id)}
      >
        <IconX size={14} stroke={1.6} aria-hidden="true" />
      </button>
    </div>
  )
}
