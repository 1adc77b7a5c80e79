"""The journey of README.md with the generated Python client. Reads BASE_URL (with the version segment) and TOKEN."""

import os
import time
import uuid

import unified_api
from unified_api.exceptions import NotFoundException

configuration = unified_api.Configuration(host=os.environ["BASE_URL"], access_token=os.environ["TOKEN"])
client = unified_api.ApiClient(configuration)
vendors = unified_api.VendorsApi(client)
orders = unified_api.WorkOrdersApi(client)
writes = unified_api.WritesApi(client)
NEW = str(uuid.uuid4())


def settled(write_id: uuid.UUID) -> unified_api.WriteRecord:
    """Reads a write until its outcome is known, for at most a minute."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        write = writes.get_write(write_id)
        if write.status.value in ("succeeded", "failed", "cancelled"):
            return write
        time.sleep(0.2)
    raise TimeoutError(f"write {write_id} is not settled")


page = vendors.list_vendors(filter={"isActive": {"eq": "true"}, "name": {"contains": "a"}}, per_page=5)
assert page.data, "no vendor is active"
assert all(vendor.is_active and "a" in vendor.name.lower() for vendor in page.data)
none = vendors.list_vendors(filter={"name": {"contains": NEW}})
assert none.data == [], "the filter was ignored"

first = vendors.get_vendor(page.data[0].id).data
assert first.source == page.data[0].source and first.name == page.data[0].name

created = vendors.create_vendor(
    unified_api.VendorInput(name=f"Hansa {NEW}", terms="Net 30", is_active=True),
    idempotency_key=str(uuid.uuid4()),
    prefer="wait=30",
).data
assert created.name == f"Hansa {NEW}"

updated = vendors.update_vendor(created.id, unified_api.VendorPatch(terms="Net 45"), prefer="wait=30").data
assert (updated.id, updated.name, updated.terms) == (created.id, created.name, "Net 45")
found = vendors.list_vendors(filter={"name": {"contains": NEW}})
assert [vendor.id for vendor in found.data] == [created.id]

order = orders.create_work_order(unified_api.WorkOrderInput(name="Replace bearing"), prefer="wait=30").data
reason = unified_api.RelationTarget(display_value="Duplicate")
queued = orders.cancel_work_order(order.id, unified_api.WorkOrderCancel(reason=reason, note="Same as before"))
write = settled(queued.write_id)
assert write.status == unified_api.WriteStatus.SUCCEEDED, write.error
assert write.target_id == order.id
assert orders.get_work_order(order.id).data.status_category == "cancelled"

try:
    vendors.get_vendor(uuid.uuid4())
except NotFoundException as error:
    assert error.status == 404
    assert isinstance(error.data, unified_api.Error), error.data
    assert error.data.code == unified_api.ErrorCode.SERVICE_NOT_FOUND
else:
    raise AssertionError("a vendor that does not exist was found")

print("python: the journey is complete")
