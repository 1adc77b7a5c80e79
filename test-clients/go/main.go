// The journey of ../README.md with the generated client. Reads BASE_URL (with the version segment) and TOKEN.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"test-client/generated"

	"github.com/google/uuid"
)

var ctx = context.Background()

// Amounts are doubles: a float32 has seven digits.
var _ *float64 = generated.Vendor{}.MinimumOrderAmount

func main() {
	client, err := generated.NewClientWithResponses(os.Getenv("BASE_URL"), generated.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
			return nil
		}))
	check(err)
	vendors(client)
	workOrders(client)
	notFound(client)
	fmt.Println("go: the journey is complete")
}

// vendors lists with a filter, gets one, creates one and updates it.
func vendors(client *generated.ClientWithResponses) {
	unique := uuid.NewString()
	none := list(client, generated.FilterConditions{"name:contains": unique})
	assert(len(none) == 0, "the filter was ignored: %d vendors", len(none))
	active := list(client, generated.FilterConditions{"isActive": "true", "name:contains": "a"})
	assert(len(active) > 0, "no vendor is active")
	for _, vendor := range active {
		assert(*vendor.IsActive && strings.Contains(strings.ToLower(vendor.Name), "a"), "%s does not fit", vendor.Name)
	}

	first, err := client.GetVendorWithResponse(ctx, *active[0].Id, nil)
	check(err)
	assert(first.JSON200 != nil && first.JSON200.Data.Name == active[0].Name, "got %s", first.Body)

	name, terms, isActive, key := "Hansa "+unique, "Net 30", true, uuid.NewString()
	created, err := client.CreateVendorWithResponse(ctx,
		&generated.CreateVendorParams{IdempotencyKey: &key, Prefer: patiently()},
		generated.VendorInput{Name: name, Terms: &terms, IsActive: &isActive})
	check(err)
	assert(created.JSON201 != nil && created.JSON201.Data.Name == name, "created %s", created.Body)

	id, terms := *created.JSON201.Data.Id, "Net 45"
	updated, err := client.UpdateVendorWithResponse(ctx, id,
		&generated.UpdateVendorParams{Prefer: patiently()}, generated.VendorPatch{Terms: &terms})
	check(err)
	assert(updated.JSON200 != nil && updated.JSON200.Data.Terms == terms, "updated %s", updated.Body)
	found := list(client, generated.FilterConditions{"name:contains": unique})
	assert(len(found) == 1 && *found[0].Id == id, "found %d vendors", len(found))
}

func list(client *generated.ClientWithResponses, filter generated.FilterConditions) []generated.Vendor {
	perPage := 5
	page, err := client.ListVendorsWithResponse(ctx, &generated.ListVendorsParams{Filter: &filter, PerPage: &perPage})
	check(err)
	assert(page.JSON200 != nil, "listed %s", page.Body)
	return page.JSON200.Data
}

// workOrders creates one, cancels it with a reason and follows the write.
func workOrders(client *generated.ClientWithResponses) {
	order, err := client.CreateWorkOrderWithResponse(ctx,
		&generated.CreateWorkOrderParams{Prefer: patiently()}, generated.WorkOrderInput{Name: "Replace bearing"})
	check(err)
	assert(order.JSON201 != nil, "created %s", order.Body)
	id, reason, note := *order.JSON201.Data.Id, "Duplicate", "Same as before"
	queued, err := client.CancelWorkOrderWithResponse(ctx, id, nil,
		generated.WorkOrderCancel{Reason: generated.RelationTarget{UnderscoreDisplayValue: &reason}, Note: &note})
	check(err)
	assert(queued.JSON202 != nil, "queued %s", queued.Body)
	write := settled(client, queued.JSON202.WriteId)
	assert(write.Status == generated.WriteStatusSucceeded, "the write is %s: %+v", write.Status, write.Error)
	assert(*write.TargetId == id, "the write is of %s", *write.TargetId)
	cancelled, err := client.GetWorkOrderWithResponse(ctx, id, nil)
	check(err)
	assert(cancelled.JSON200 != nil && *cancelled.JSON200.Data.StatusCategory == "cancelled", "got %s", cancelled.Body)
}

// settled reads a write until its outcome is known, for at most a minute.
func settled(client *generated.ClientWithResponses, id uuid.UUID) *generated.WriteRecord {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		write, err := client.GetWriteWithResponse(ctx, id)
		check(err)
		assert(write.JSON200 != nil, "read %s", write.Body)
		switch write.JSON200.Status {
		case generated.WriteStatusSucceeded, generated.WriteStatusFailed, generated.WriteStatusCancelled:
			return write.JSON200
		}
	}
	log.Fatalf("the write %s is not settled", id)
	return nil
}

func notFound(client *generated.ClientWithResponses) {
	missing, err := client.GetVendorWithResponse(ctx, uuid.New(), nil)
	check(err)
	assert(missing.StatusCode() == http.StatusNotFound, "status %d", missing.StatusCode())
	assert(missing.JSONDefault != nil && missing.JSONDefault.Code == generated.SERVICENOTFOUND, "error %s", missing.Body)
}

func patiently() *generated.Prefer {
	prefer := "wait=30"
	return &prefer
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func assert(holds bool, format string, values ...any) {
	if !holds {
		log.Fatalf(format, values...)
	}
}
