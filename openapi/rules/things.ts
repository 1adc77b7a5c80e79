/** For tests: an entity that follows the conventions. Put it at the end of a root file. */
export const things = `
components:
  schemas:
    Entity: { type: object, required: [id], properties: { id: { type: string, readOnly: true, description: Identifier. } } }
    Page: { type: object, properties: { meta: { type: object, description: Place. } } }
    WriteRecord: { type: object }
    ThingFields: { type: object, properties: { name: { type: string, description: Name. } } }
    Thing:
      allOf:
        - $ref: '#/components/schemas/Entity'
        - $ref: '#/components/schemas/ThingFields'
        - { type: object, properties: { statusCategory: { type: string, enum: [open, closed], readOnly: true, description: State. } } }
    ThingPatch: { allOf: [{ $ref: '#/components/schemas/ThingFields' }], unevaluatedProperties: false }
    ThingInput: { allOf: [{ $ref: '#/components/schemas/ThingPatch' }], required: [name] }
    ThingResponse: { type: object, properties: { data: { $ref: '#/components/schemas/Thing' } } }
    ThingPage:
      allOf:
        - $ref: '#/components/schemas/Page'
        - { type: object, properties: { data: { type: array, description: All., items: { $ref: '#/components/schemas/Thing' } } } }
  responses:
    ThingPage: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/ThingPage' } } } }
    ThingResponse: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/ThingResponse' } } } }
    WriteRecord: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/WriteRecord' } } } }
  requestBodies:
    ThingInput: { content: { application/json: { schema: { $ref: '#/components/schemas/ThingInput' } } } }
    ThingPatch: { content: { application/json: { schema: { $ref: '#/components/schemas/ThingPatch' } } } }
`;
