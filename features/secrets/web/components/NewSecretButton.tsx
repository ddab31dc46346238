import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { Button } from '@headwater/web-kit'

/** Button that opens the dialog for a new secret. */
export function NewSecretButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="primary" icon={<IconPlus size={16} stroke={1.6} />} onClick={onClick}>
      New secret
    </Button>
  )
}
