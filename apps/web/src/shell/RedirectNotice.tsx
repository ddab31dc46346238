import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { forgetRedirectReason, IconButton, redirectReasonOf } from '@headwater/web-kit'
import styles from './RedirectNotice.module.css'

/** Explains above the page why the user is not on the page they opened. */
export function RedirectNotice() {
  const { pathname, search, hash, state } = useLocation()
  const navigate = useNavigate()
  const reason = redirectReasonOf(state)
  const hasReason = reason !== undefined
  useEffect(() => {
    if (hasReason) forgetRedirectReason()
  }, [hasReason, state])
  return (
    // Screen readers announce only text that is added to an existing region.
    <div role="status" aria-label="Reason for this page">
      {reason === undefined ? null : (
        <div className={styles.notice}>
          <IconAlertTriangle size={16} stroke={1.6} className={styles.icon} aria-hidden="true" />
          <p className={styles.message}>
            <strong>{reason.title}.</strong> {reason.text}
          </p>
          <IconButton
            label="Dismiss"
            icon={<IconX size={14} stroke={1.6} />}
            onClick={() => void navigate({ pathname, search, hash }, { replace: true })}
          />
        </div>
      )}
    </div>
  )
}
