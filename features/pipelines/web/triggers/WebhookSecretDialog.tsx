import { Button, CopyButton, Dialog } from '@headwater/web-kit'
import styles from './Triggers.module.css'

/** Dialog with the URL and the signing key of a new webhook, which are visible only once. */
export function WebhookSecretDialog({
  path,
  signingKey,
  onClose,
}: {
  path: string
  signingKey: string | null
  onClose: () => void
}) {
  const url = `${location.origin}${path}`
  return (
    <Dialog
      open
      onClose={onClose}
      title="URL of the webhook"
      width={560}
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>Copy it now. You cannot see it again. Anyone who has it can start runs.</p>
      <Secret label="URL" value={url} />
      {signingKey === null ? null : <Secret label="Signing key" value={signingKey} />}
    </Dialog>
  )
}

function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div className={styles.secret} role="group" aria-label={label}>
      <span>{label}</span>
      <code>{value}</code>
      <CopyButton value={value} label={label} />
    </div>
  )
}
