{{/* A variable from a Secret that exists: (list "REDIS_URL" .Values.redis) */}}
{{- define "gatehouse.secretVariable" -}}
{{- $source := index . 1 -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ $source.existingSecret }}
      key: {{ $source.existingSecretKey }}
{{- end }}

{{- define "gatehouse.databaseVariable" -}}
{{- $_ := required "database.existingSecret is required: the name of a Secret whose key DATABASE_URL has the address of the database" .Values.database.existingSecret -}}
{{ include "gatehouse.secretVariable" (list "DATABASE_URL" .Values.database) }}
{{- end }}

{{/* Node.js trusts these beside its own. */}}
{{- define "gatehouse.trustVariable" -}}
{{- if .Values.trustedCertificates.existingConfigMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/gatehouse/certificates/{{ .Values.trustedCertificates.key }}
{{- end }}
{{- end }}

{{- define "gatehouse.volumeMounts" -}}
{{- if .Values.trustedCertificates.existingConfigMap }}
- name: certificates
  mountPath: /etc/gatehouse/certificates
  readOnly: true
{{- end }}
{{- if .isServer }}
{{- with .Values.configurationFiles }}
{{- if .existingConfigMap }}
- name: configuration-files
  mountPath: /etc/gatehouse/configuration
  readOnly: true
{{- end }}
{{- if .existingSecret }}
- name: configuration-secrets
  mountPath: /etc/gatehouse/configuration-secrets
  readOnly: true
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "gatehouse.volumes" -}}
{{- with .Values.trustedCertificates }}
{{- if .existingConfigMap }}
- name: certificates
  configMap:
    name: {{ .existingConfigMap }}
{{- end }}
{{- end }}
{{- if .isServer }}
{{- with .Values.configurationFiles }}
{{- if and .existingSecret (not .existingConfigMap) }}
{{- fail "configurationFiles.existingSecret needs configurationFiles.existingConfigMap: the files that name its keys" }}
{{- end }}
{{- if .existingConfigMap }}
- name: configuration-files
  configMap:
    name: {{ .existingConfigMap }}
{{- end }}
{{- if .existingSecret }}
- name: configuration-secrets
  secret:
    secretName: {{ .existingSecret }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* What every pod of the chart has in common. Those of the service also have the configuration files: (merge (dict "isServer" true) .) */}}
{{- define "gatehouse.podBasics" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.hostAliases }}
hostAliases:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.dnsPolicy }}
dnsPolicy: {{ . }}
{{- end }}
{{- with .Values.dnsConfig }}
dnsConfig:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with (include "gatehouse.volumes" . | trim) }}
volumes:
  {{- . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "gatehouse.containerBasics" -}}
image: {{ include "gatehouse.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
{{- with (include "gatehouse.volumeMounts" . | trim) }}
volumeMounts:
  {{- . | nindent 2 }}
{{- end }}
{{- end }}
