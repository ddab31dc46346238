import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Button, IconButton } from '@headwater/web-kit'
import styles from './GuideOffer.module.css'

/** A line that offers the guide through the builder. */
export default function GuideOffer({ onStart, onDecline }: { onStart: () => void; onDecline: () => void }) {
  return (
    <p className={styles.offer}>
      New here?
      <Button size="small" variant="quiet" onClick={onStart}>
        Show the guide
      </Button>
      <IconButton
        label="Don't offer the guide again"
        icon={<IconX size={14} stroke={1.6} />}
        onClick={onDecline}
      />
    </p>
  )
}
