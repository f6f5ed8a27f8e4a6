const DATA_SOURCE = {
  type: 'object',
  required: ['type', 'uid'],
  additionalProperties: false,
  properties: { type: { type: 'string', minLength: 1 }, uid: { type: 'string', minLength: 1 } },
};

const GRID_POSITION = {
  type: 'object',
  required: ['x', 'y', 'w', 'h'],
  additionalProperties: false,
  properties: {
    x: { type: 'integer', minimum: 0, maximum: 23 },
    y: { type: 'integer', minimum: 0 },
    w: { type: 'integer', minimum: 1, maximum: 24 },
    h: { type: 'integer', minimum: 1 },
  },
};

const TARGET = {
  type: 'object',
  required: ['refId', 'datasource', 'expr', 'legendFormat'],
  additionalProperties: false,
  properties: {
    refId: { type: 'string', pattern: '^[A-Z]$' },
    datasource: DATA_SOURCE,
    editorMode: { enum: ['code', 'builder'] },
    expr: { type: 'string', minLength: 1 },
    legendFormat: { type: 'string' },
    range: { type: 'boolean' },
    instant: { type: 'boolean' },
  },
};

const FIELD_CONFIGURATION = {
  type: 'object',
  required: ['defaults', 'overrides'],
  additionalProperties: false,
  properties: {
    defaults: {
      type: 'object',
      required: ['unit', 'color', 'thresholds'],
      additionalProperties: false,
      properties: {
        unit: { enum: ['short', 'reqps', 's', 'percentunit', 'bytes'] },
        min: { type: 'number' },
        decimals: { type: 'integer', minimum: 0 },
        color: {
          type: 'object',
          required: ['mode'],
          properties: { mode: { enum: ['thresholds', 'palette-classic'] } },
        },
        mappings: { type: 'array', maxItems: 0 },
        thresholds: {
          type: 'object',
          required: ['mode', 'steps'],
          additionalProperties: false,
          properties: {
            mode: { enum: ['absolute', 'percentage'] },
            steps: {
              type: 'array',
              minItems: 1,
              items: {
                type: 'object',
                required: ['color', 'value'],
                additionalProperties: false,
                properties: { color: { type: 'string' }, value: { type: ['number', 'null'] } },
              },
            },
          },
        },
        custom: { type: 'object' },
      },
    },
    overrides: { type: 'array', maxItems: 0 },
  },
};

const ROW = {
  type: 'object',
  required: ['id', 'type', 'title', 'collapsed', 'gridPos', 'panels'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', minimum: 1 },
    type: { const: 'row' },
    title: { type: 'string', minLength: 1 },
    collapsed: { const: false },
    gridPos: GRID_POSITION,
    panels: { type: 'array', maxItems: 0 },
  },
};

const PANEL = {
  type: 'object',
  required: ['id', 'type', 'title', 'description', 'datasource', 'gridPos', 'targets', 'fieldConfig', 'options'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', minimum: 1 },
    type: { enum: ['stat', 'timeseries'] },
    title: { type: 'string', minLength: 1 },
    description: { type: 'string', minLength: 1 },
    datasource: DATA_SOURCE,
    gridPos: GRID_POSITION,
    targets: { type: 'array', minItems: 1, items: TARGET },
    fieldConfig: FIELD_CONFIGURATION,
    options: { type: 'object', minProperties: 2 },
  },
};

const VARIABLE = {
  type: 'object',
  required: ['name', 'label', 'type', 'query', 'refresh', 'hide', 'includeAll', 'multi'],
  properties: {
    name: { type: 'string', pattern: '^\\w+$' },
    label: { type: 'string' },
    type: { enum: ['datasource', 'query'] },
    query: { type: ['string', 'object'] },
    datasource: DATA_SOURCE,
    refresh: { enum: [0, 1, 2] },
    hide: { enum: [0, 1, 2] },
    includeAll: { type: 'boolean' },
    multi: { type: 'boolean' },
  },
};

/**
 * What Grafana's schema of a dashboard (version 39, of Grafana 10.3 and later, which newer ones migrate from) asks of the
 * parts that ours has; and no others, so that a misspelt one is found.
 */
export const DASHBOARD_SCHEMA = {
  type: 'object',
  required: [
    'uid',
    'title',
    'schemaVersion',
    'editable',
    'graphTooltip',
    'time',
    'templating',
    'annotations',
    'panels',
  ],
  properties: {
    // An id would be another dashboard's; Grafana gives it.
    id: { type: 'null' },
    uid: { type: 'string', pattern: '^[\\w-]{1,40}$' },
    title: { type: 'string', minLength: 1 },
    schemaVersion: { const: 39 },
    editable: { type: 'boolean' },
    graphTooltip: { enum: [0, 1, 2] },
    refresh: { type: 'string', pattern: '^\\d+[smh]$' },
    time: {
      type: 'object',
      required: ['from', 'to'],
      properties: { from: { type: 'string' }, to: { type: 'string' } },
    },
    templating: { type: 'object', required: ['list'], properties: { list: { type: 'array', items: VARIABLE } } },
    annotations: { type: 'object', required: ['list'], properties: { list: { type: 'array' } } },
    panels: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string' } },
        if: { properties: { type: { const: 'row' } } },
        then: ROW,
        else: PANEL,
      },
    },
  },
};
