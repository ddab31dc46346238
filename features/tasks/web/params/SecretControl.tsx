import { useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { canWrite } from '@headwater/groups/contract'
import { useGroup } from '@headwater/groups/web'
import { SecretDialog, useCanWriteSecrets, useSecretNames } from '@headwater/secrets/web'
import { Combobox, IconButton } from '@headwater/web-kit'
import type { ParamControlProps } from './value-controls.tsx'
import styles from './TaskParamsForm.module.css'

/** Field for choosing a secret of the group or the user, or storing a new one. The value is the name of the secret. */
export function SecretControl({ groupName: given, value, onChange, ...field }: ParamControlProps) {
  const groupName = given === '' ? undefined : given
  const { ofGroup, own } = useSecretNames(groupName)
  const group = useGroup(groupName ?? null)
  const canStore = useCanWriteSecrets()
  const [isCreating, setCreating] = useState(false)
  const isWritable = group.data !== undefined && canWrite(group.data.access)
  const options = [
    ...ofGroup.map((name) => ({ value: name, label: `${name} · ${groupName}` })),
    ...own
      .filter((name) => !ofGroup.includes(name))
      .map((name) => ({ value: name, label: `${name} · yours` })),
  ]
  if (value !== '' && !options.some((option) => option.value === value)) options.push({ value, label: value })
  return (
    <div className={styles.expression}>
      <Combobox
        {...field}
        value={value === '' ? null : value}
        placeholder={field.placeholder || 'Choose a secret'}
        nothingFound="No secret found. Store it first."
        options={options}
        onChange={(name) => onChange(name ?? '')}
      />
      {canStore ? (
        <IconButton
          label={`New secret for ${field.label}`}
          icon={<IconPlus size={15} stroke={1.6} />}
          disabled={field.disabled}
          onClick={() => setCreating(true)}
        />
      ) : null}
      <SecretDialog
        open={isCreating}
        groupName={isWritable ? groupName : undefined}
        choosesOwner
        onClose={() => setCreating(false)}
        onSaved={({ name }) => onChange(name)}
      />
    </div>
  )
}
