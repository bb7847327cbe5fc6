---@meta _

-- Worlds that hand out ids or data: made from 2d.lua and 3d.lua by `make types`.

---As broadside.Filter, in worlds with `results = "id"`.
---@alias broadside.FilterOfIds integer|broadside.Box|broadside.FilterTable|fun(box: integer): any

---As broadside.MoveFilter, in worlds with `results = "id"`.
---@alias broadside.MoveFilterOfIds integer|broadside.Box|broadside.ResponseMasks|fun(box: integer, other: integer): broadside.MoveResponse?

---As broadside.Collision, in worlds with `results = "id"`.
---@class broadside.CollisionOfIds: broadside.Collision
---@field other integer

---As broadside.Pushed, in worlds with `results = "id"`.
---@class broadside.PushedOfIds: broadside.Pushed
---@field other integer

---A world with `results = "id"`.
---@class broadside.WorldOfIds: broadside.World
---@field insert fun(self: broadside.WorldOfIds, x: number, y: number, w: number, h: number, opts?: broadside.InsertOptions): integer
---@field insertCircle fun(self: broadside.WorldOfIds, x: number, y: number, r: number, opts?: broadside.InsertOptions): integer
---@field insertPolygon fun(self: broadside.WorldOfIds, corners: number[], opts?: broadside.InsertOptions): integer
---@field insertConcave fun(self: broadside.WorldOfIds, points: number[], opts?: broadside.InsertOptions): integer[]
---@field insertPolyline fun(self: broadside.WorldOfIds, points: number[], thickness: number, opts?: broadside.InsertOptions): integer[]
---@field insertMany fun(self: broadside.WorldOfIds, flat: number[], opts?: broadside.InsertOptions, out?: integer[]): integer[], integer
---@field pairs fun(self: broadside.WorldOfIds): (fun(): integer, integer)
---@field collectPairs fun(self: broadside.WorldOfIds, out?: integer[]): integer[], integer
---@field eachPair fun(self: broadside.WorldOfIds, f: (fun(a: integer, b: integer)))
---@field contacts fun(self: broadside.WorldOfIds, which?: "all"|"changes"): (fun(): "begin"|"stay"|"end", integer, integer)
---@field collectContacts fun(self: broadside.WorldOfIds, which?: "all"|"changes", out?: (string|integer)[]): (string|integer)[], integer
---@field queryRect fun(self: broadside.WorldOfIds, x: number, y: number, w: number, h: number, filter?: broadside.FilterOfIds, out?: integer[]): integer[], integer
---@field queryPoint fun(self: broadside.WorldOfIds, x: number, y: number, filter?: broadside.FilterOfIds, out?: integer[]): integer[], integer
---@field queryCircle fun(self: broadside.WorldOfIds, x: number, y: number, r: number, filter?: broadside.FilterOfIds, out?: integer[], distances?: number[]): integer[], integer
---@field queryPolygon fun(self: broadside.WorldOfIds, corners: number[], filter?: broadside.FilterOfIds, out?: integer[]): integer[], integer
---@field queryBox fun(self: broadside.WorldOfIds, box: broadside.BoxRef, filter?: broadside.FilterOfIds, out?: integer[]): integer[], integer
---@field querySegment fun(self: broadside.WorldOfIds, x1: number, y1: number, x2: number, y2: number, filter?: broadside.FilterOfIds, out?: integer[]): integer[], integer
---@field querySweep fun(self: broadside.WorldOfIds, box: broadside.BoxRef, dx: number, dy: number, filter?: broadside.FilterOfIds, out?: integer[]): integer[], integer
---@field nearest fun(self: broadside.WorldOfIds, x: number, y: number, k?: integer, filter?: broadside.FilterOfIds, maxDistance?: number, out?: integer[], distances?: number[]): integer[], integer
---@field segmentCast fun(self: broadside.WorldOfIds, x1: number, y1: number, x2: number, y2: number, filter?: broadside.FilterOfIds): integer?, number, number, number, number, number
---@field sweep fun(self: broadside.WorldOfIds, box: broadside.BoxRef, dx: number, dy: number, filter?: broadside.FilterOfIds): integer?, number, number, number
---@field sweepRect fun(self: broadside.WorldOfIds, x: number, y: number, w: number, h: number, dx: number, dy: number, filter?: broadside.FilterOfIds): integer?, number, number, number
---@field resolve fun(self: broadside.WorldOfIds, box: broadside.BoxRef, filter?: broadside.FilterOfIds): number, number, integer
---@field move fun(self: broadside.WorldOfIds, box: broadside.BoxRef, x: number, y: number, filter?: broadside.MoveFilterOfIds, out?: broadside.CollisionOfIds[]): number, number, broadside.CollisionOfIds[], integer
---@field moveBy fun(self: broadside.WorldOfIds, box: broadside.BoxRef, dx: number, dy: number, filter?: broadside.MoveFilterOfIds, out?: broadside.CollisionOfIds[]): number, number, broadside.CollisionOfIds[], integer
---@field check fun(self: broadside.WorldOfIds, box: broadside.BoxRef, x: number, y: number, filter?: broadside.MoveFilterOfIds, out?: broadside.CollisionOfIds[]): number, number, broadside.CollisionOfIds[], integer
---@field moveMany fun(self: broadside.WorldOfIds, boxes: broadside.BoxRef[], goals: number[], filter?: broadside.MoveFilterOfIds, out?: number[]): number[], integer
---@field push fun(self: broadside.WorldOfIds, box: broadside.BoxRef, x: number, y: number, filter?: broadside.MoveFilterOfIds, out?: broadside.PushedOfIds[]): number, number, broadside.PushedOfIds[], integer
---@field pushMany fun(self: broadside.WorldOfIds, boxes: broadside.BoxRef[], dx: number, dy: number, filter?: broadside.MoveFilterOfIds, out?: broadside.PushedOfIds[]): broadside.PushedOfIds[], integer
---@field touching fun(self: broadside.WorldOfIds, box: broadside.BoxRef, dx: number, dy: number, filter?: broadside.MoveFilterOfIds, asId?: boolean): integer?
---@field canFit fun(self: broadside.WorldOfIds, box: broadside.BoxRef, x: number, y: number, w?: number, h?: number, filter?: broadside.MoveFilterOfIds): boolean, integer?
---@field hits fun(self: broadside.WorldOfIds): (fun(): integer, integer, broadside.Response, number, number, number, number, number, number, number)
---@field restore fun(self: broadside.WorldOfIds, snapshot: broadside.Snapshot|string, f?: (fun(box: integer): any), all?: boolean)

---As broadside.Filter, in worlds with `results = "data"`.
---@alias broadside.FilterOfData integer|broadside.Box|broadside.FilterTable|fun(box: any): any

---As broadside.MoveFilter, in worlds with `results = "data"`.
---@alias broadside.MoveFilterOfData integer|broadside.Box|broadside.ResponseMasks|fun(box: any, other: any): broadside.MoveResponse?

---As broadside.Collision, in worlds with `results = "data"`.
---@class broadside.CollisionOfData: broadside.Collision
---@field other any

---As broadside.Pushed, in worlds with `results = "data"`.
---@class broadside.PushedOfData: broadside.Pushed
---@field other any

---A world with `results = "data"`.
---@class broadside.WorldOfData: broadside.World
---@field pairs fun(self: broadside.WorldOfData): (fun(): any, any)
---@field collectPairs fun(self: broadside.WorldOfData, out?: any[]): any[], integer
---@field eachPair fun(self: broadside.WorldOfData, f: (fun(a: any, b: any)))
---@field contacts fun(self: broadside.WorldOfData, which?: "all"|"changes"): (fun(): "begin"|"stay"|"end", any, any)
---@field collectContacts fun(self: broadside.WorldOfData, which?: "all"|"changes", out?: (string|any)[]): (string|any)[], integer
---@field queryRect fun(self: broadside.WorldOfData, x: number, y: number, w: number, h: number, filter?: broadside.FilterOfData, out?: any[]): any[], integer
---@field queryPoint fun(self: broadside.WorldOfData, x: number, y: number, filter?: broadside.FilterOfData, out?: any[]): any[], integer
---@field queryCircle fun(self: broadside.WorldOfData, x: number, y: number, r: number, filter?: broadside.FilterOfData, out?: any[], distances?: number[]): any[], integer
---@field queryPolygon fun(self: broadside.WorldOfData, corners: number[], filter?: broadside.FilterOfData, out?: any[]): any[], integer
---@field queryBox fun(self: broadside.WorldOfData, box: broadside.BoxRef, filter?: broadside.FilterOfData, out?: any[]): any[], integer
---@field querySegment fun(self: broadside.WorldOfData, x1: number, y1: number, x2: number, y2: number, filter?: broadside.FilterOfData, out?: any[]): any[], integer
---@field querySweep fun(self: broadside.WorldOfData, box: broadside.BoxRef, dx: number, dy: number, filter?: broadside.FilterOfData, out?: any[]): any[], integer
---@field nearest fun(self: broadside.WorldOfData, x: number, y: number, k?: integer, filter?: broadside.FilterOfData, maxDistance?: number, out?: any[], distances?: number[]): any[], integer
---@field segmentCast fun(self: broadside.WorldOfData, x1: number, y1: number, x2: number, y2: number, filter?: broadside.FilterOfData): any?, number, number, number, number, number
---@field sweep fun(self: broadside.WorldOfData, box: broadside.BoxRef, dx: number, dy: number, filter?: broadside.FilterOfData): any?, number, number, number
---@field sweepRect fun(self: broadside.WorldOfData, x: number, y: number, w: number, h: number, dx: number, dy: number, filter?: broadside.FilterOfData): any?, number, number, number
---@field resolve fun(self: broadside.WorldOfData, box: broadside.BoxRef, filter?: broadside.FilterOfData): number, number, integer
---@field move fun(self: broadside.WorldOfData, box: broadside.BoxRef, x: number, y: number, filter?: broadside.MoveFilterOfData, out?: broadside.CollisionOfData[]): number, number, broadside.CollisionOfData[], integer
---@field moveBy fun(self: broadside.WorldOfData, box: broadside.BoxRef, dx: number, dy: number, filter?: broadside.MoveFilterOfData, out?: broadside.CollisionOfData[]): number, number, broadside.CollisionOfData[], integer
---@field check fun(self: broadside.WorldOfData, box: broadside.BoxRef, x: number, y: number, filter?: broadside.MoveFilterOfData, out?: broadside.CollisionOfData[]): number, number, broadside.CollisionOfData[], integer
---@field moveMany fun(self: broadside.WorldOfData, boxes: broadside.BoxRef[], goals: number[], filter?: broadside.MoveFilterOfData, out?: number[]): number[], integer
---@field push fun(self: broadside.WorldOfData, box: broadside.BoxRef, x: number, y: number, filter?: broadside.MoveFilterOfData, out?: broadside.PushedOfData[]): number, number, broadside.PushedOfData[], integer
---@field pushMany fun(self: broadside.WorldOfData, boxes: broadside.BoxRef[], dx: number, dy: number, filter?: broadside.MoveFilterOfData, out?: broadside.PushedOfData[]): broadside.PushedOfData[], integer
---@field touching fun(self: broadside.WorldOfData, box: broadside.BoxRef, dx: number, dy: number, filter?: broadside.MoveFilterOfData, asId?: boolean): any?
---@field canFit fun(self: broadside.WorldOfData, box: broadside.BoxRef, x: number, y: number, w?: number, h?: number, filter?: broadside.MoveFilterOfData): boolean, any?
---@field hits fun(self: broadside.WorldOfData): (fun(): any, any, broadside.Response, number, number, number, number, number, number, number)
---@field restore fun(self: broadside.WorldOfData, snapshot: broadside.Snapshot|string, f?: (fun(box: any): any), all?: boolean)

---@class broadside.Pool
---@field hits fun(self: broadside.Pool, world: broadside.World, filter?: integer|broadside.Box|fun(box: broadside.Result, id: integer): any, all?: boolean): (fun(): integer, broadside.Result, number, number, number, number, number)
---@field hits fun(self: broadside.Pool, world: broadside.WorldOfIds, filter?: integer|broadside.Box|fun(box: integer, id: integer): any, all?: boolean): (fun(): integer, integer, number, number, number, number, number)
---@field hits fun(self: broadside.Pool, world: broadside.WorldOfData, filter?: integer|broadside.Box|fun(box: any, id: integer): any, all?: boolean): (fun(): integer, any, number, number, number, number, number)

---As broadside.Filter3, in worlds with `results = "id"`.
---@alias broadside.FilterOfIds3 integer|broadside.Box3|broadside.FilterTable3|fun(box: integer): any

---As broadside.MoveFilter3, in worlds with `results = "id"`.
---@alias broadside.MoveFilterOfIds3 integer|broadside.Box3|broadside.ResponseMasks|fun(box: integer, other: integer): broadside.MoveResponse?

---As broadside.Collision3, in worlds with `results = "id"`.
---@class broadside.CollisionOfIds3: broadside.Collision3
---@field other integer

---As broadside.Pushed3, in worlds with `results = "id"`.
---@class broadside.PushedOfIds3: broadside.Pushed3
---@field other integer

---A world with `results = "id"`.
---@class broadside.WorldOfIds3: broadside.World3
---@field insert fun(self: broadside.WorldOfIds3, x: number, y: number, z: number, w: number, h: number, d: number, opts?: broadside.InsertOptions3): integer
---@field insertCircle fun(self: broadside.WorldOfIds3, x: number, y: number, z: number, r: number, opts?: broadside.InsertOptions3): integer
---@field insertPolygon fun(self: broadside.WorldOfIds3, corners: number[], opts?: broadside.InsertOptions3): integer
---@field insertConcave fun(self: broadside.WorldOfIds3, points: number[], opts?: broadside.InsertOptions3): integer[]
---@field insertPolyline fun(self: broadside.WorldOfIds3, points: number[], thickness: number, opts?: broadside.InsertOptions3): integer[]
---@field insertMany fun(self: broadside.WorldOfIds3, flat: number[], opts?: broadside.InsertOptions3, out?: integer[]): integer[], integer
---@field pairs fun(self: broadside.WorldOfIds3): (fun(): integer, integer)
---@field collectPairs fun(self: broadside.WorldOfIds3, out?: integer[]): integer[], integer
---@field eachPair fun(self: broadside.WorldOfIds3, f: (fun(a: integer, b: integer)))
---@field contacts fun(self: broadside.WorldOfIds3, which?: "all"|"changes"): (fun(): "begin"|"stay"|"end", integer, integer)
---@field collectContacts fun(self: broadside.WorldOfIds3, which?: "all"|"changes", out?: (string|integer)[]): (string|integer)[], integer
---@field queryRect fun(self: broadside.WorldOfIds3, x: number, y: number, z: number, w: number, h: number, d: number, filter?: broadside.FilterOfIds3, out?: integer[]): integer[], integer
---@field queryPoint fun(self: broadside.WorldOfIds3, x: number, y: number, z: number, filter?: broadside.FilterOfIds3, out?: integer[]): integer[], integer
---@field queryCircle fun(self: broadside.WorldOfIds3, x: number, y: number, z: number, r: number, filter?: broadside.FilterOfIds3, out?: integer[], distances?: number[]): integer[], integer
---@field queryPolygon fun(self: broadside.WorldOfIds3, corners: number[], filter?: broadside.FilterOfIds3, out?: integer[]): integer[], integer
---@field queryBox fun(self: broadside.WorldOfIds3, box: broadside.BoxRef3, filter?: broadside.FilterOfIds3, out?: integer[]): integer[], integer
---@field querySegment fun(self: broadside.WorldOfIds3, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, filter?: broadside.FilterOfIds3, out?: integer[]): integer[], integer
---@field querySweep fun(self: broadside.WorldOfIds3, box: broadside.BoxRef3, dx: number, dy: number, dz: number, filter?: broadside.FilterOfIds3, out?: integer[]): integer[], integer
---@field nearest fun(self: broadside.WorldOfIds3, x: number, y: number, z: number, k?: integer, filter?: broadside.FilterOfIds3, maxDistance?: number, out?: integer[], distances?: number[]): integer[], integer
---@field segmentCast fun(self: broadside.WorldOfIds3, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, filter?: broadside.FilterOfIds3): integer?, number, number, number, number, number, number, number
---@field sweep fun(self: broadside.WorldOfIds3, box: broadside.BoxRef3, dx: number, dy: number, dz: number, filter?: broadside.FilterOfIds3): integer?, number, number, number, number
---@field sweepRect fun(self: broadside.WorldOfIds3, x: number, y: number, z: number, w: number, h: number, d: number, dx: number, dy: number, dz: number, filter?: broadside.FilterOfIds3): integer?, number, number, number, number
---@field resolve fun(self: broadside.WorldOfIds3, box: broadside.BoxRef3, filter?: broadside.FilterOfIds3): number, number, number, integer
---@field move fun(self: broadside.WorldOfIds3, box: broadside.BoxRef3, x: number, y: number, z: number, filter?: broadside.MoveFilterOfIds3, out?: broadside.CollisionOfIds3[]): number, number, number, broadside.CollisionOfIds3[], integer
---@field moveBy fun(self: broadside.WorldOfIds3, box: broadside.BoxRef3, dx: number, dy: number, dz: number, filter?: broadside.MoveFilterOfIds3, out?: broadside.CollisionOfIds3[]): number, number, number, broadside.CollisionOfIds3[], integer
---@field check fun(self: broadside.WorldOfIds3, box: broadside.BoxRef3, x: number, y: number, z: number, filter?: broadside.MoveFilterOfIds3, out?: broadside.CollisionOfIds3[]): number, number, number, broadside.CollisionOfIds3[], integer
---@field moveMany fun(self: broadside.WorldOfIds3, boxes: broadside.BoxRef3[], goals: number[], filter?: broadside.MoveFilterOfIds3, out?: number[]): number[], integer
---@field push fun(self: broadside.WorldOfIds3, box: broadside.BoxRef3, x: number, y: number, z: number, filter?: broadside.MoveFilterOfIds3, out?: broadside.PushedOfIds3[]): number, number, number, broadside.PushedOfIds3[], integer
---@field pushMany fun(self: broadside.WorldOfIds3, boxes: broadside.BoxRef3[], dx: number, dy: number, dz: number, filter?: broadside.MoveFilterOfIds3, out?: broadside.PushedOfIds3[]): broadside.PushedOfIds3[], integer
---@field touching fun(self: broadside.WorldOfIds3, box: broadside.BoxRef3, dx: number, dy: number, dz: number, filter?: broadside.MoveFilterOfIds3, asId?: boolean): integer?
---@field canFit fun(self: broadside.WorldOfIds3, box: broadside.BoxRef3, x: number, y: number, z: number, w?: number, h?: number, d?: number, filter?: broadside.MoveFilterOfIds3): boolean, integer?
---@field hits fun(self: broadside.WorldOfIds3): (fun(): integer, integer, broadside.Response, number, number, number, number, number, number, number, number, number)
---@field restore fun(self: broadside.WorldOfIds3, snapshot: broadside.Snapshot3|string, f?: (fun(box: integer): any), all?: boolean)

---As broadside.Filter3, in worlds with `results = "data"`.
---@alias broadside.FilterOfData3 integer|broadside.Box3|broadside.FilterTable3|fun(box: any): any

---As broadside.MoveFilter3, in worlds with `results = "data"`.
---@alias broadside.MoveFilterOfData3 integer|broadside.Box3|broadside.ResponseMasks|fun(box: any, other: any): broadside.MoveResponse?

---As broadside.Collision3, in worlds with `results = "data"`.
---@class broadside.CollisionOfData3: broadside.Collision3
---@field other any

---As broadside.Pushed3, in worlds with `results = "data"`.
---@class broadside.PushedOfData3: broadside.Pushed3
---@field other any

---A world with `results = "data"`.
---@class broadside.WorldOfData3: broadside.World3
---@field pairs fun(self: broadside.WorldOfData3): (fun(): any, any)
---@field collectPairs fun(self: broadside.WorldOfData3, out?: any[]): any[], integer
---@field eachPair fun(self: broadside.WorldOfData3, f: (fun(a: any, b: any)))
---@field contacts fun(self: broadside.WorldOfData3, which?: "all"|"changes"): (fun(): "begin"|"stay"|"end", any, any)
---@field collectContacts fun(self: broadside.WorldOfData3, which?: "all"|"changes", out?: (string|any)[]): (string|any)[], integer
---@field queryRect fun(self: broadside.WorldOfData3, x: number, y: number, z: number, w: number, h: number, d: number, filter?: broadside.FilterOfData3, out?: any[]): any[], integer
---@field queryPoint fun(self: broadside.WorldOfData3, x: number, y: number, z: number, filter?: broadside.FilterOfData3, out?: any[]): any[], integer
---@field queryCircle fun(self: broadside.WorldOfData3, x: number, y: number, z: number, r: number, filter?: broadside.FilterOfData3, out?: any[], distances?: number[]): any[], integer
---@field queryPolygon fun(self: broadside.WorldOfData3, corners: number[], filter?: broadside.FilterOfData3, out?: any[]): any[], integer
---@field queryBox fun(self: broadside.WorldOfData3, box: broadside.BoxRef3, filter?: broadside.FilterOfData3, out?: any[]): any[], integer
---@field querySegment fun(self: broadside.WorldOfData3, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, filter?: broadside.FilterOfData3, out?: any[]): any[], integer
---@field querySweep fun(self: broadside.WorldOfData3, box: broadside.BoxRef3, dx: number, dy: number, dz: number, filter?: broadside.FilterOfData3, out?: any[]): any[], integer
---@field nearest fun(self: broadside.WorldOfData3, x: number, y: number, z: number, k?: integer, filter?: broadside.FilterOfData3, maxDistance?: number, out?: any[], distances?: number[]): any[], integer
---@field segmentCast fun(self: broadside.WorldOfData3, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, filter?: broadside.FilterOfData3): any?, number, number, number, number, number, number, number
---@field sweep fun(self: broadside.WorldOfData3, box: broadside.BoxRef3, dx: number, dy: number, dz: number, filter?: broadside.FilterOfData3): any?, number, number, number, number
---@field sweepRect fun(self: broadside.WorldOfData3, x: number, y: number, z: number, w: number, h: number, d: number, dx: number, dy: number, dz: number, filter?: broadside.FilterOfData3): any?, number, number, number, number
---@field resolve fun(self: broadside.WorldOfData3, box: broadside.BoxRef3, filter?: broadside.FilterOfData3): number, number, number, integer
---@field move fun(self: broadside.WorldOfData3, box: broadside.BoxRef3, x: number, y: number, z: number, filter?: broadside.MoveFilterOfData3, out?: broadside.CollisionOfData3[]): number, number, number, broadside.CollisionOfData3[], integer
---@field moveBy fun(self: broadside.WorldOfData3, box: broadside.BoxRef3, dx: number, dy: number, dz: number, filter?: broadside.MoveFilterOfData3, out?: broadside.CollisionOfData3[]): number, number, number, broadside.CollisionOfData3[], integer
---@field check fun(self: broadside.WorldOfData3, box: broadside.BoxRef3, x: number, y: number, z: number, filter?: broadside.MoveFilterOfData3, out?: broadside.CollisionOfData3[]): number, number, number, broadside.CollisionOfData3[], integer
---@field moveMany fun(self: broadside.WorldOfData3, boxes: broadside.BoxRef3[], goals: number[], filter?: broadside.MoveFilterOfData3, out?: number[]): number[], integer
---@field push fun(self: broadside.WorldOfData3, box: broadside.BoxRef3, x: number, y: number, z: number, filter?: broadside.MoveFilterOfData3, out?: broadside.PushedOfData3[]): number, number, number, broadside.PushedOfData3[], integer
---@field pushMany fun(self: broadside.WorldOfData3, boxes: broadside.BoxRef3[], dx: number, dy: number, dz: number, filter?: broadside.MoveFilterOfData3, out?: broadside.PushedOfData3[]): broadside.PushedOfData3[], integer
---@field touching fun(self: broadside.WorldOfData3, box: broadside.BoxRef3, dx: number, dy: number, dz: number, filter?: broadside.MoveFilterOfData3, asId?: boolean): any?
---@field canFit fun(self: broadside.WorldOfData3, box: broadside.BoxRef3, x: number, y: number, z: number, w?: number, h?: number, d?: number, filter?: broadside.MoveFilterOfData3): boolean, any?
---@field hits fun(self: broadside.WorldOfData3): (fun(): any, any, broadside.Response, number, number, number, number, number, number, number, number, number)
---@field restore fun(self: broadside.WorldOfData3, snapshot: broadside.Snapshot3|string, f?: (fun(box: any): any), all?: boolean)

---@class broadside.Pool3
---@field hits fun(self: broadside.Pool3, world: broadside.World3, filter?: integer|broadside.Box3|fun(box: broadside.Result3, id: integer): any, all?: boolean): (fun(): integer, broadside.Result3, number, number, number, number, number, number, number)
---@field hits fun(self: broadside.Pool3, world: broadside.WorldOfIds3, filter?: integer|broadside.Box3|fun(box: integer, id: integer): any, all?: boolean): (fun(): integer, integer, number, number, number, number, number, number, number)
---@field hits fun(self: broadside.Pool3, world: broadside.WorldOfData3, filter?: integer|broadside.Box3|fun(box: any, id: integer): any, all?: boolean): (fun(): integer, any, number, number, number, number, number, number, number)
