import { allZones } from '@headwater/zones'
import { type ReactNode, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  Button,
  Combobox,
  FieldRow,
  Form,
  FormActions,
  NumberField,
  Panel,
  Select,
  type SelectProps,
  Skeleton,
  StorageSize,
  SubmitButton,
  Switch,
  TextField,
  UnsavedGuard,
  fieldErrors,
  linkTo,
  routeNames as names,
} from '@headwater/web-kit'
import type { UserSettings } from '../../contract/index.ts'
import { ownStorageQuery } from '../accounts-client.ts'
import { changedSettings, tabsProblem } from '../changed-settings.ts'
import { type SettingsChange, useSettings, useUpdateSettings } from '../use-session.ts'
import styles from './SettingsTab.module.css'

/** The user's own settings: profile, preferences and dashboards. */
export default function SettingsTab() {
  const settings = useSettings()
  if (settings === undefined) return <Skeleton lines={6} />
  return (
    <div className={styles.columns}>
      <Preferences settings={settings} />
      <div className={styles.column}>
        <Profile settings={settings} />
        <Advanced settings={settings} />
      </div>
    </div>
  )
}

function Profile({ settings }: { settings: UserSettings }) {
  const storage = useQuery(ownStorageQuery)
  return (
    <Panel title="Profile" className={styles.panel}>
      <div className={styles.body}>
        <dl className={styles.facts}>
          <dt>User name</dt>
          <dd>{settings.userName}</dd>
          <dt>Company</dt>
          <dd>{settings.company || '—'}</dd>
          {settings.companyTags.length === 0 ? null : (
            <>
              <dt>Company tags</dt>
              <dd>{settings.companyTags.join(', ')}</dd>
            </>
          )}
          <dt>Stored files</dt>
          <dd>
            {storage.data === undefined ? (
              <Skeleton width={120} />
            ) : (
              <>
                <StorageSize bytes={storage.data.storedBytes} />
                {storage.data.limitBytes === 0 ? null : (
                  <>
                    {' of '}
                    <StorageSize bytes={storage.data.limitBytes} />
                  </>
                )}
              </>
            )}
          </dd>
        </dl>
        <div className={styles.buttons}>
          <Button href={linkTo([names.changePassword])}>Change password</Button>
          <Button href={linkTo([names.logout])}>Log out</Button>
        </div>
      </div>
    </Panel>
  )
}

const zones = allZones().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
const schemes = [
  { value: 'AUTO', label: 'System' },
  { value: 'OFF', label: 'Light' },
  { value: 'ON', label: 'Dark' },
]
const pages = [
  { value: 'insight', label: 'Insight' },
  { value: 'data lake', label: 'Data lake' },
  { value: 'data storage', label: 'Data storage' },
  { value: 'data science', label: 'Data science' },
]
const layouts = [
  { value: 'LATEST', label: 'Latest version of each file' },
  { value: 'VERSIONS', label: 'Every version' },
]
const screens = ['Table', 'Basket', 'Charts'].map((value) => ({ value, label: value }))
const formats = [
  { value: 'STANDARD', label: 'Standard' },
  { value: 'FAST_NCSV', label: 'Ncsv' },
]
const languages = [{ value: 'eng', label: 'English' }]
const onOff = [
  { value: 'OFF', label: 'Off' },
  { value: 'ON', label: 'On' },
]

/** Unsaved changes on top of the saved settings. */
function useDraft(settings: UserSettings) {
  const [change, setChange] = useState<SettingsChange>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  return {
    value: { ...settings, ...change } as UserSettings,
    set: (part: SettingsChange) => setChange((before) => ({ ...before, ...part })),
    change,
    dirty: changedSettings(settings, change) !== undefined,
    reset: () => setChange({}),
    errors,
    setErrors: (error: unknown) =>
      setErrors(
        Object.fromEntries(
          Object.entries(fieldErrors(error)).map(([field, text]) => [field.replace('settings.', ''), text]),
        ),
      ),
    refuse: setErrors,
  }
}

type Draft = ReturnType<typeof useDraft>

function Preferences({ settings }: { settings: UserSettings }) {
  const draft = useDraft(settings)
  const update = useUpdateSettings()
  const { value, set } = draft
  const knownZone = zones.some((zone) => zone.value === value.definedTime)
  async function save() {
    await update(draft.change, 'Settings have been saved')
    draft.reset()
  }
  return (
    <SettingsForm title="Preferences" draft={draft} onSave={save}>
      <Combobox
        label="Time zone"
        hint="Times are displayed in this zone, with UTC on hover."
        options={knownZone ? zones : [{ value: value.definedTime, label: value.definedTime }, ...zones]}
        value={value.definedTime}
        onChange={(zone) => set({ definedTime: zone ?? 'UTC' })}
        error={draft.errors.definedTime}
      />
      <FieldRow>
        <Choice draft={draft} name="darkmode" label="Theme" hint="Colours of all pages." options={schemes} />
        <Choice
          draft={draft}
          name="language"
          label="Language"
          hint="Language of the product."
          options={languages}
        />
      </FieldRow>
      <FieldRow>
        <Choice
          draft={draft}
          name="defaultPage"
          label="Default page"
          hint="Opens after you log in."
          options={pages}
        />
        <TextField
          label="Default group"
          hint="Preselected group for new files and insights."
          value={value.defaultGroup}
          onChange={(defaultGroup) => set({ defaultGroup })}
          error={draft.errors.defaultGroup}
          maxLength={300}
        />
      </FieldRow>
      <Switch
        label="Round values"
        hint="Numbers are displayed with the decimal places below."
        checked={value.roundingEnabled}
        onChange={(roundingEnabled) => set({ roundingEnabled })}
      />
      <FieldRow>
        <NumberField
          label="Decimal places"
          hint="Used when values are rounded."
          min={0}
          max={15}
          disabled={!value.roundingEnabled}
          value={value.decimalPrecision}
          onChange={(decimalPrecision) => set({ decimalPrecision: decimalPrecision ?? 2 })}
          error={draft.errors.decimalPrecision}
        />
        <Choice
          draft={draft}
          name="downloadFormat"
          label="Download format"
          hint="Format of downloaded series."
          options={formats}
        />
      </FieldRow>
      <FieldRow>
        <Choice
          draft={draft}
          name="datalakeLayout"
          label="Files in the data lake"
          hint="Which versions of each file the lists display."
          options={layouts}
        />
        <Choice
          draft={draft}
          name="storageScreen"
          label="First tab of a data prep"
          hint="The tab that is open when you open a data prep."
          options={screens}
        />
      </FieldRow>
      <Choice
        draft={draft}
        name="warehouse"
        label="Warehouse"
        hint="When on, data queries read from the warehouse."
        options={onOff}
      />
    </SettingsForm>
  )
}

function Advanced({ settings }: { settings: UserSettings }) {
  const draft = useDraft(settings)
  const update = useUpdateSettings()
  const { value, set } = draft
  async function save() {
    const problem = tabsProblem(value.dashboardUserTabs)
    draft.refuse(problem === undefined ? {} : { dashboardUserTabs: problem })
    if (problem !== undefined) return
    await update(draft.change, 'Your changes have been saved')
    draft.reset()
  }
  return (
    <SettingsForm title="Dashboards" draft={draft} onSave={save}>
      <TextField
        label="Dashboard user tabs"
        hint="Tabs of the monitor, as a JSON list. Each tab needs a tag."
        mono
        rows={5}
        value={value.dashboardUserTabs}
        onChange={(dashboardUserTabs) => set({ dashboardUserTabs })}
        error={draft.errors.dashboardUserTabs}
      />
      <TextField
        label="Additional parameters"
        hint="Additional settings for programs, as a JSON object."
        mono
        rows={3}
        value={value.additionalParameters}
        onChange={(additionalParameters) => set({ additionalParameters })}
        error={draft.errors.additionalParameters}
      />
    </SettingsForm>
  )
}

/** A panel of settings that are saved or discarded together. */
function SettingsForm({
  title,
  draft,
  onSave,
  children,
}: {
  title: string
  draft: Draft
  onSave: () => Promise<void>
  children: ReactNode
}) {
  return (
    <Panel title={title} className={styles.panel}>
      <UnsavedGuard when={draft.dirty} />
      <div className={styles.body}>
        <Form label={title} onSubmit={onSave} onError={draft.setErrors}>
          {children}
          <FormActions>
            <Button disabled={!draft.dirty} onClick={draft.reset}>
              Discard
            </Button>
            <SubmitButton disabled={!draft.dirty}>Save</SubmitButton>
          </FormActions>
        </Form>
      </div>
    </Panel>
  )
}

/** A setting with a few choices. */
function Choice({
  draft,
  name,
  ...field
}: {
  draft: Draft
  name:
    | 'darkmode'
    | 'language'
    | 'defaultPage'
    | 'downloadFormat'
    | 'datalakeLayout'
    | 'storageScreen'
    | 'warehouse'
} & Pick<SelectProps, 'label' | 'hint' | 'options'>) {
  return (
    <Select
      {...field}
      value={draft.value[name]}
      onChange={(value) => {
        if (value !== null) draft.set({ [name]: value })
      }}
    />
  )
}
